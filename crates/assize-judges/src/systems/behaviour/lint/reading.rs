//! The rule on a choice that a person has still to make.

use super::{Out, PromptView};
use crate::systems::behaviour::draft;

pub(super) fn unchosen_reading(view: &PromptView<'_>, out: &mut Out<'_>) {
    if let Some(span) = draft::unchosen(&view.file.text) {
        let message = "nobody has said yet whether this describes a correct output or a wrong one";
        out.push(&view.file.path, span, message, draft::CHOOSE);
    }
}
