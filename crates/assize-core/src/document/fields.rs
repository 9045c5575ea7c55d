//! Reading a mapping: take the known keys, then say which others are there.

use super::{Key, Node, NodeValue, Problems, Span, closest};

/// The entries of a mapping, being read.
pub struct Fields<'n> {
    what: String,
    span: Span,
    entries: Vec<(&'n Key, &'n Node, bool)>,
    known: Vec<&'static str>,
}

impl<'n> Fields<'n> {
    /// Opens a mapping, or reports that there is none. `what` names it in messages.
    pub fn open(node: &'n Node, what: impl Into<String>, problems: &mut Problems) -> Option<Self> {
        let what = what.into();
        let NodeValue::Map(entries) = &node.kind else {
            node.expected(&what, "a mapping", problems);
            return None;
        };
        let entries = entries.iter().map(|(key, node)| (key, node, false)).collect();
        Some(Self { what, span: node.span, entries, known: Vec::new() })
    }

    /// The value of an optional key. A key with nothing behind it counts as absent.
    pub fn take(&mut self, name: &'static str) -> Option<&'n Node> {
        self.known.push(name);
        let entry = self.entries.iter_mut().find(|(key, _, _)| key.name == name)?;
        entry.2 = true;
        (entry.1.kind != NodeValue::Null).then_some(entry.1)
    }

    /// The value of a key that must be there.
    pub fn require(&mut self, name: &'static str, problems: &mut Problems) -> Option<&'n Node> {
        let found = self.take(name);
        if found.is_none() {
            problems.report(self.span, format!("{} has no `{name}`, which is required", self.what));
        }
        found
    }

    /// The place of the mapping itself.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Reports every key that nobody asked for.
    pub fn finish(self, problems: &mut Problems) {
        for (key, _, _) in self.entries.iter().filter(|(_, _, taken)| !taken) {
            self.unknown(key, problems);
        }
    }

    /// The keys that nobody asked for, for a file that may hold what others use. One that looks like a slip of the finger is
    /// reported.
    pub fn finish_keeping(self, problems: &mut Problems) -> Vec<(&'n Key, &'n Node)> {
        let (slips, kept): (Vec<(&Key, &Node)>, Vec<_>) = self
            .entries
            .iter()
            .filter(|(_, _, taken)| !taken)
            .map(|(key, node, _)| (*key, *node))
            .partition(|(key, _)| closest(&key.name, self.known.iter().copied()).is_some());
        slips.iter().for_each(|(key, _)| self.unknown(key, problems));
        kept
    }

    fn unknown(&self, key: &Key, problems: &mut Problems) {
        let message = format!("unknown key `{}` in {}", key.name, self.what);
        let help = match closest(&key.name, self.known.iter().copied()) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("known keys: {}", self.known.join(", ")),
        };
        problems.report_with_help(key.span, message, help);
    }
}
