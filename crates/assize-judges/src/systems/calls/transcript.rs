//! The transcript of a call, as a text or as segments, ready to be searched.

use assize_metrics::lookup::Searchable;
use serde_json::Value;
use std::ops::Range;
use std::sync::OnceLock;

/// How far a cited moment may be from the beginning of a segment, in seconds.
const NEAR: f64 = 3.0;

/// A transcript.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    /// One line for each segment, or the text as it was given.
    pub(super) text: String,
    /// The sentences or turns, in order.
    pub(super) pieces: Vec<String>,
    /// The text, searchable; made when it is first asked for.
    words: OnceLock<Searchable>,
    times: Vec<Moment>,
}

/// A moment that the transcript knows of.
#[derive(Clone, Debug)]
struct Moment {
    /// In seconds.
    start: f64,
    /// In seconds, where it is known.
    end: Option<f64>,
    /// The segment or the line, in bytes of the text.
    place: Range<usize>,
}

impl Moment {
    fn covers(&self, at: f64) -> bool {
        (at - self.start).abs() <= NEAR || self.end.is_some_and(|end| (self.start..=end).contains(&at))
    }
}

impl Transcript {
    pub(super) fn read(value: Option<&Value>) -> Self {
        let mut transcript = Self::default();
        match value {
            None | Some(Value::Null) => {}
            Some(Value::String(text)) => match serde_json::from_str::<Value>(text) {
                Ok(segments @ Value::Array(_)) => transcript.segments(&segments),
                _ => transcript.plain(text),
            },
            Some(Value::Object(object)) => {
                let inner = ["segments", "sentences", "turns", "utterances", "text", "transcript"]
                    .iter()
                    .find_map(|key| object.get(*key));
                match inner {
                    Some(Value::String(text)) => transcript.plain(text),
                    Some(segments @ Value::Array(_)) => transcript.segments(segments),
                    _ => transcript.plain(&Value::Object(object.clone()).to_string()),
                }
            }
            Some(segments @ Value::Array(_)) => transcript.segments(segments),
            Some(other) => transcript.plain(&other.to_string()),
        }
        transcript
    }

    /// The text, ready to be searched.
    pub(super) fn words(&self) -> &Searchable {
        self.words.get_or_init(|| Searchable::new(&self.text))
    }

    fn plain(&mut self, text: &str) {
        self.text = text.to_owned();
        self.pieces = text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            let place = offset..offset + line.trim_end().len();
            let known = moments(line).into_iter().map(|start| Moment { start, end: None, place: place.clone() });
            self.times.extend(known);
            offset += line.len();
        }
    }

    fn segments(&mut self, segments: &Value) {
        for segment in segments.as_array().into_iter().flatten() {
            let text = match segment {
                Value::String(text) => text.clone(),
                Value::Object(fields) => {
                    let text = ["text", "sentence", "content", "utterance"].iter().find_map(|key| fields.get(*key));
                    let text = text.and_then(Value::as_str).unwrap_or_default();
                    let text = match fields.get("speaker").and_then(Value::as_str) {
                        Some(speaker) => format!("{speaker}: {text}"),
                        None => text.to_owned(),
                    };
                    let seconds = |key: &str| fields.get(key).and_then(seconds);
                    if let Some(start) = seconds("start") {
                        let place = self.text.len()..self.text.len() + text.len();
                        self.times.push(Moment { start, end: seconds("end"), place });
                    }
                    text
                }
                _ => continue,
            };
            self.text.push_str(&text);
            self.text.push('\n');
            self.pieces.push(text);
        }
    }

    /// Whether a cited moment is in the call; `None` where the transcript has no times.
    pub(super) fn has_moment(&self, at: f64) -> Option<bool> {
        if self.times.is_empty() {
            return None;
        }
        Some(self.place_of(at).is_some())
    }

    /// What is said at a moment, in bytes of the text; of several segments the one that begins closest to it.
    pub(super) fn place_of(&self, at: f64) -> Option<Range<usize>> {
        let covering = self.times.iter().filter(|moment| moment.covers(at));
        let nearest = covering.min_by(|one, other| (one.start - at).abs().total_cmp(&(other.start - at).abs()));
        nearest.map(|moment| moment.place.clone())
    }
}

/// A time as a number of seconds or as `1:23`.
fn seconds(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => moments(text)
            .first()
            .copied()
            .or_else(|| text.trim().trim_end_matches('s').parse().ok())
            .filter(|at: &f64| at.is_finite()),
        _ => None,
    }
}

/// The moments a text cites, as `mm:ss` or `hh:mm:ss`, in seconds.
pub(super) fn moments(text: &str) -> Vec<f64> {
    let mut found = Vec::new();
    for token in text.split(|character: char| !(character.is_ascii_digit() || character == ':')) {
        let parts: Vec<&str> = token.trim_matches(':').split(':').collect();
        let digits = |part: &&str| (1..=2).contains(&part.len());
        if (2..=3).contains(&parts.len()) && parts.iter().all(digits) && parts[parts.len() - 1].len() == 2 {
            let numbers: Vec<f64> = parts.iter().filter_map(|part| part.parse().ok()).collect();
            found.push(numbers.iter().fold(0.0, |total, part| total * 60.0 + part));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn text_and_segments_are_read() {
        let text = Transcript::read(Some(&json!("Agent: hello [00:12]\nCustomer: hi")));
        assert_eq!((text.pieces.len(), text.has_moment(12.0), text.has_moment(90.0)), (2, Some(true), Some(false)));
        let segments = Transcript::read(Some(&json!([
            {"id": 1, "speaker": "agent", "text": "hello", "start": 0, "end": 4.5}, {"text": "hi", "start": "01:10"}, "bye", 7
        ])));
        assert_eq!(segments.text, "agent: hello\nhi\nbye\n");
        assert_eq!((segments.has_moment(70.0), segments.has_moment(30.0)), (Some(true), Some(false)));
        assert_eq!(segments.place_of(4.0).map(|place| &segments.text[place]), Some("agent: hello"));
        assert_eq!(text.place_of(11.0).map(|place| &text.text[place]), Some("Agent: hello [00:12]"));
        assert_eq!(Transcript::read(Some(&json!("hello"))).has_moment(1.0), None);
        assert!(Transcript::read(None).text.is_empty());
    }

    #[test]
    fn moments_are_times_of_a_call() {
        assert_eq!(moments("at 00:12, then 1:02:03; Q1:5 and 10:5"), [12.0, 3723.0]);
    }
}
