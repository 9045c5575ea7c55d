//! What the model is asked to write beside the scores.

use super::spec::read_name;
use assize_core::document::{Fields, Node, NodeValue, Problems};

/// The shape of the answer.
#[derive(Debug, Default)]
pub(super) struct AnswerSpec {
    /// The key that holds the scores; `None` puts them beside the rest.
    pub(super) scores_in: Option<String>,
    /// Free texts, written before the scores so that reasons come before figures.
    pub(super) texts: Vec<TextSpec>,
    /// Which of the texts is the judgment's reason. A file that names none gets one.
    pub(super) reason: Option<String>,
    /// Whether the model is asked for a composite and a verdict of its own, to be compared.
    pub(super) claims: bool,
}

/// A free text of the answer.
#[derive(Debug)]
pub(super) struct TextSpec {
    pub(super) name: String,
    pub(super) kind: TextKind,
    pub(super) about: String,
    /// A text with more lines than this is flagged.
    pub(super) most_lines: Option<u32>,
}

impl AnswerSpec {
    /// Sees to it that a reason is asked for, before anything else: a text called `reason`, or a new one under a name that
    /// nothing else has.
    pub(super) fn ask_for_a_reason(&mut self, is_taken: impl Fn(&str) -> bool) {
        if self.reason.is_some() {
            return;
        }
        let mut name = "reason".to_owned();
        if !self.texts.iter().any(|text| text.name == name && text.kind == TextKind::Text) {
            let taken = |name: &str, texts: &[TextSpec]| is_taken(name) || texts.iter().any(|text| text.name == name);
            while taken(&name, &self.texts) || self.scores_in.as_ref() == Some(&name) {
                name.insert_str(0, "judge_");
            }
            let about = "why you give these scores, in one or two sentences that name what decided".to_owned();
            self.texts.insert(0, TextSpec { name: name.clone(), kind: TextKind::Text, about, most_lines: None });
        }
        self.reason = Some(name);
    }
}

/// One text or a list of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    Text,
    Texts,
}

pub(super) fn read(node: &Node, problems: &mut Problems) -> Option<AnswerSpec> {
    let mut fields = Fields::open(node, "answer", problems)?;
    let scores_in = match fields.take("scores_in") {
        None => Some(None),
        Some(node) => read_name(node, "scores_in", problems).map(Some),
    };
    let texts = fields.take("texts").map_or(Some(Vec::new()), |node| read_texts(node, problems));
    let reason = match fields.take("reason") {
        None => Some(None),
        Some(node) => read_name(node, "reason", problems).map(Some),
    };
    let claims = fields.take("claims").map_or(Some(false), |node| node.bool("claims", problems));
    fields.finish(problems);
    Some(AnswerSpec { scores_in: scores_in?, texts: texts?, reason: reason?, claims: claims? })
}

fn read_texts(node: &Node, problems: &mut Problems) -> Option<Vec<TextSpec>> {
    let NodeValue::Map(entries) = &node.kind else {
        node.expected("texts", "a mapping from a text's name to what it holds", problems);
        return None;
    };
    let mut texts = Vec::new();
    for (key, entry) in entries {
        let Some(mut fields) = Fields::open(entry, format!("texts.{}", key.name), problems) else { continue };
        let kinds = [("text", TextKind::Text), ("texts", TextKind::Texts)];
        let kind = fields.take("kind").map_or(Some(TextKind::Text), |node| node.one_of("kind", &kinds, problems));
        let about = fields.require("about", problems).and_then(|node| node.filled_text("about", problems));
        let most_lines = match fields.take("lines") {
            None => Some(None),
            Some(node) => node.number("lines", 1.0..=1000.0, problems).map(|lines| Some(lines as u32)),
        };
        fields.finish(problems);
        let (Some(kind), Some(about), Some(most_lines)) = (kind, about, most_lines) else { continue };
        texts.push(TextSpec { name: key.name.clone(), kind, about: about.to_owned(), most_lines });
    }
    (texts.len() == entries.len()).then_some(texts)
}
