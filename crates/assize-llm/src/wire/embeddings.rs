//! `POST /embeddings`, as OpenAI and the servers that speak its format have it: texts become vectors.
//!
//! A reply is read in two steps, because one that cannot be used was paid for all the same: [`decode`] takes the
//! envelope apart, and [`Vectors::place`] puts each vector to its text or says why that cannot be done. A vector is
//! never put to a text by guessing.

use super::{WireError, count, parse};
use assize_core::Usage;
use serde_json::{Value, json};

/// What a response holds, as it came.
#[derive(Clone, Debug, PartialEq)]
pub struct Vectors {
    items: Vec<Value>,
    /// What it used; `None` where the server does not say.
    pub usage: Option<Usage>,
    /// The model the server says it used.
    pub model: Option<String>,
}

/// The body of a request. Vectors come as lists of numbers, which is what servers give unless asked otherwise.
pub fn encode(model: &str, texts: &[&str]) -> Value {
    json!({"model": model, "input": texts})
}

/// What the response says.
pub fn decode(status: u16, body: &[u8]) -> Result<Vectors, WireError> {
    let mut envelope = parse(status, body)?;
    let usage = envelope.get("usage").filter(|usage| usage.is_object()).map(|usage| Usage {
        input_tokens: count(usage, "/prompt_tokens").max(count(usage, "/total_tokens")),
        ..Usage::default()
    });
    let model = envelope.get("model").and_then(Value::as_str).map(str::to_owned);
    match envelope.get_mut("data").map(Value::take) {
        Some(Value::Array(items)) => Ok(Vectors { items, usage, model }),
        _ => Err(WireError::Broken("the response has no list of vectors".to_owned())),
    }
}

impl Vectors {
    /// The vector of each of `texts` texts in their order, whatever the order they came in; or what is wrong with them.
    pub fn place(self, texts: usize) -> Result<Vec<Vec<f32>>, String> {
        if self.items.len() != texts {
            return Err(format!(
                "the server gave {} for {}",
                plural(self.items.len(), "vector"),
                plural(texts, "text")
            ));
        }
        let mut placed: Vec<Option<Vec<f32>>> = vec![None; texts];
        for item in &self.items {
            let index = item.get("index").and_then(Value::as_u64).ok_or("a vector does not say which text it is of")?;
            let place = usize::try_from(index).ok().and_then(|index| placed.get_mut(index));
            let place =
                place.ok_or_else(|| format!("the server gave a vector for text {index}, and there are {texts}"))?;
            if place.is_some() {
                return Err(format!("the server gave two vectors for text {index}"));
            }
            *place =
                Some(numbers(item.get("embedding")).map_err(|wrong| format!("the vector of text {index} {wrong}"))?);
        }
        // As many as there are texts, and no two for one: none is left without.
        let vectors: Vec<Vec<f32>> = placed.into_iter().flatten().collect();
        let length = vectors.first().map_or(0, Vec::len);
        match vectors.iter().position(|vector| vector.len() != length) {
            Some(other) => Err(format!(
                "the vector of text 0 has {length} numbers and that of text {other} has {}",
                vectors[other].len()
            )),
            None => Ok(vectors),
        }
    }
}

fn numbers(embedding: Option<&Value>) -> Result<Vec<f32>, &'static str> {
    let items = embedding.and_then(Value::as_array).ok_or("is no list of numbers")?;
    if items.is_empty() {
        return Err("is empty");
    }
    // Beyond the range of a single-precision number is infinite, and no direction.
    let number = |item: &Value| item.as_f64().map(|number| number as f32).filter(|number| number.is_finite());
    items.iter().map(number).collect::<Option<_>>().ok_or("holds something that is no number")
}

fn plural(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(data: Value, texts: usize) -> Result<Vec<Vec<f32>>, String> {
        let body = json!({"data": data, "usage": {"prompt_tokens": 5, "total_tokens": 5}}).to_string();
        decode(200, body.as_bytes()).expect("an envelope").place(texts)
    }

    fn item(index: u64, embedding: Value) -> Value {
        json!({"object": "embedding", "index": index, "embedding": embedding})
    }

    #[test]
    fn the_index_decides_and_not_the_order() {
        let data = json!([item(2, json!([5, 6])), item(0, json!([1, 2])), item(1, json!([3, 4.5]))]);
        assert_eq!(placed(data, 3), Ok(vec![vec![1.0, 2.0], vec![3.0, 4.5], vec![5.0, 6.0]]));
    }

    #[test]
    fn what_cannot_be_placed_is_said() {
        let whole = || json!([0.5, 0.5]);
        let wrong = [
            placed(json!([item(0, whole())]), 2),
            placed(json!([item(0, whole()), item(1, whole())]), 1),
            placed(json!([]), 1),
            placed(json!([item(0, whole()), item(0, whole())]), 2),
            placed(json!([item(0, whole()), item(2, whole())]), 2),
            placed(json!([{"embedding": [1.0]}]), 1),
            placed(json!([item(0, whole()), item(1, json!([0.5]))]), 2),
            placed(json!([item(0, json!([0.5, null]))]), 1),
            placed(json!([item(0, json!([0.5, 1e300]))]), 1),
            placed(json!([item(0, json!([]))]), 1),
            placed(json!([item(0, json!("AAAAPwAAAD8="))]), 1),
        ];
        insta::assert_snapshot!(wrong.map(Result::unwrap_err).join("\n"));
    }

    #[test]
    fn an_envelope_is_taken_apart() {
        let body = br#"{"model": "m-2", "data": [], "usage": {"total_tokens": 7}}"#;
        let vectors = decode(200, body).expect("an envelope");
        assert_eq!(vectors.usage, Some(Usage { input_tokens: 7, ..Usage::default() }));
        assert_eq!(vectors.model.as_deref(), Some("m-2"));
        assert_eq!(decode(200, br#"{"data": []}"#).expect("an envelope").usage, None);
        assert!(matches!(decode(200, br#"{"data": {}}"#), Err(WireError::Broken(_))));
        assert!(matches!(decode(200, br#"{"data": [{"index": 0, "embedding": [NaN]}]}"#), Err(WireError::Broken(_))));
        assert!(
            matches!(decode(404, br#"{"error": "no such model"}"#), Err(WireError::Provider(error)) if error.status == 404)
        );
    }

    #[test]
    fn a_request_is_a_model_and_its_texts() {
        assert_eq!(encode("m", &["a", "b"]), json!({"model": "m", "input": ["a", "b"]}));
    }
}
