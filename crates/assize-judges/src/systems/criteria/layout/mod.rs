//! A case of a criteria judge as it is read: what its measures found, whichever of them the file names.

mod alignment;
mod reasoning;

use assize_core::ShownCase;
use assize_core::layout::{Inputs, Layout};
use serde_json::Value;

/// What the measures found. `traced` says that the judge is one of worked answers, whatever its measures found.
pub(super) fn layout(shown: &ShownCase<'_>, traced: bool) -> Option<Layout> {
    let inputs = Inputs::of(shown.case);
    let mut layout = Layout::default();
    alignment::add(shown, &inputs, &mut layout);
    reasoning::add(shown, &inputs, traced, &mut layout);
    (!layout.sections.is_empty()).then_some(layout)
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}
