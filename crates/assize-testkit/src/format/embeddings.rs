//! Embeddings, from the server's side: deterministic vectors, and the ways in which they can be wrong.
//!
//! A text's vector counts its words into [`DIMENSIONS`] places, so that the cosine of two texts can be worked out by hand
//! from the words they share, as long as no two of their words meet in one place.

use crate::script::{Received, Reply, Slip};
use serde_json::{Value, json};

/// The length of a vector.
const DIMENSIONS: usize = 64;

/// The vector of a text: how often each of its words occurs, at a place that follows from the word.
pub fn bag_of_words(text: &str) -> Vec<f32> {
    let mut counts = vec![0.0; DIMENSIONS];
    for word in text.split_whitespace() {
        counts[usize::from(blake3::hash(word.as_bytes()).as_bytes()[0]) % DIMENSIONS] += 1.0;
    }
    counts
}

/// The texts of a request.
pub(super) fn texts(body: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match body.get("input") {
        Some(Value::Array(items)) => items.iter().map(text).collect(),
        Some(input) => vec![text(input)],
        None => Vec::new(),
    }
}

pub(super) fn render(received: &Received, reply: &Reply) -> Value {
    let texts = texts(&received.body);
    let mut vectors: Vec<Value> = texts.iter().map(|text| json!(bag_of_words(text))).collect();
    let slip = if let Reply::Vectors(slip) = reply { Some(*slip) } else { None };
    match (slip, vectors.last_mut()) {
        (Some(Slip::OneShorter), Some(Value::Array(numbers))) => drop(numbers.pop()),
        (Some(Slip::NotANumber), Some(Value::Array(numbers))) => numbers[0] = Value::Null,
        (Some(Slip::Halved), _) => {
            for numbers in vectors.iter_mut().filter_map(Value::as_array_mut) {
                numbers.truncate(DIMENSIONS / 2);
            }
        }
        _ => {}
    }
    let mut data: Vec<Value> = vectors
        .into_iter()
        .enumerate()
        .map(|(index, vector)| json!({"object": "embedding", "index": index, "embedding": vector}))
        .collect();
    match slip {
        Some(Slip::Shuffled) => data.reverse(),
        Some(Slip::OneMissing) => drop(data.pop()),
        Some(Slip::SameIndex) => data.iter_mut().for_each(|item| item["index"] = json!(0)),
        _ => {}
    }
    let model = match reply {
        Reply::WrongModelName(name) => name.as_str(),
        _ => received.model(),
    };
    let mut response = json!({"object": "list", "data": data, "model": model});
    if *reply != Reply::WithoutUsage {
        let tokens = tokens(&texts);
        response["usage"] = json!({"prompt_tokens": tokens, "total_tokens": tokens});
    }
    response
}

/// A token for every word.
fn tokens(texts: &[String]) -> usize {
    texts.iter().map(|text| text.split_whitespace().count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_at_their_places() {
        let vector = bag_of_words("the refund the card");
        assert_eq!(vector.iter().sum::<f32>(), 4.0);
        assert_eq!(vector.iter().copied().fold(0.0, f32::max), 2.0);
        assert_eq!(vector, bag_of_words("card  the\nrefund the"));
        assert_eq!(bag_of_words(""), vec![0.0; DIMENSIONS]);
    }
}
