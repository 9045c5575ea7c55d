//! Vectors of texts, by who made them: found again in one look, so that no text is embedded twice.

use super::{Store, StoreError, Write};
use assize_core::Fingerprint;
use rusqlite::types::Type;
use rusqlite::{Error, Transaction, params};
use std::collections::HashMap;

impl Store {
    /// Keeps vectors, each under the fingerprint of its text, in place of those that were there. When this returns, they
    /// are on disk.
    pub async fn keep_vectors(
        &self,
        embedder: &Fingerprint,
        vectors: impl IntoIterator<Item = (&Fingerprint, &Vec<f32>)>,
    ) -> Result<(), StoreError> {
        let embedder = embedder.to_string();
        let rows = vectors.into_iter().map(|(text, vector)| (text.to_string(), to_bytes(vector))).collect();
        self.commit(|done| Write::Vectors { embedder, rows, done }).await
    }

    /// The vectors an embedder gave to texts, for those of the texts that it has embedded before.
    pub fn find_vectors(
        &self,
        embedder: &Fingerprint,
        texts: &[&Fingerprint],
    ) -> Result<HashMap<Fingerprint, Vec<f32>>, StoreError> {
        if texts.is_empty() {
            return Ok(HashMap::new());
        }
        // The texts go in as one list, so that there is one statement for any number of them.
        let list = serde_json::json!(texts).to_string();
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT text, vector FROM embeddings
                     WHERE embedder = ?1 AND text IN (SELECT value FROM json_each(?2))",
                )?
                .query_map(params![embedder.as_str(), list], |row| {
                    let vector = from_bytes(row.get_ref(1)?.as_blob()?);
                    let vector = vector
                        .ok_or_else(|| Error::FromSqlConversionFailure(1, Type::Blob, "this is no vector".into()))?;
                    Ok((Fingerprint::from_stored(row.get(0)?), vector))
                })?
                .collect()
        })
    }
}

pub(super) fn write(transaction: &Transaction<'_>, embedder: &str, rows: &[(String, Vec<u8>)]) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare_cached(
        "INSERT INTO embeddings (embedder, text, vector) VALUES (?1, ?2, ?3)
         ON CONFLICT (embedder, text) DO UPDATE SET vector = excluded.vector",
    )?;
    for (text, vector) in rows {
        statement.execute(params![embedder, text, vector])?;
    }
    Ok(())
}

/// The numbers one after the other, four bytes each, the lowest first.
fn to_bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn from_bytes(bytes: &[u8]) -> Option<Vec<f32>> {
    let (numbers, rest) = bytes.as_chunks::<4>();
    (rest.is_empty() && !numbers.is_empty()).then(|| numbers.iter().map(|number| f32::from_le_bytes(*number)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_is_the_same_to_the_last_bit() {
        assert_eq!(to_bytes(&[1.0, -2.5]), [0, 0, 128, 63, 0, 0, 32, 192]);
        let vector = vec![0.1, -0.0, f32::MIN_POSITIVE, f32::MAX];
        assert_eq!(from_bytes(&to_bytes(&vector)).map(|vector| to_bytes(&vector)), Some(to_bytes(&vector)));
        assert_eq!((from_bytes(&[]), from_bytes(&[0, 0, 128])), (None, None));
    }
}
