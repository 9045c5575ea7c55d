//! Settings that list names: those that occur in the cases can be chosen, and others can be typed.

use super::form::{Field, checklist};
use crate::visible::visible;
use assize_core::hints::NameWords;
use assize_core::settings::same_name;
use maud::{Markup, html};
use serde_json::Value;

/// Names in the cases, each with the names within it.
type Found = [(String, Vec<String>)];

/// Any of the names in the cases.
pub(super) fn names(field: &Field<'_>, said: &NameWords, found: &Found) -> Markup {
    let set = listed(field.value);
    let offered = with_those_of(found.iter().map(|(name, _)| name), &set);
    html! {
        fieldset.names data-setting=(field.path) data-kind="names" {
            legend { (field.label) }
            (checklist(&offered, |name| set.iter().any(|wanted| same_name(wanted, name)), &said.others))
            p.small.faint.when-none { (said.none) }
            p.small.faint.when-some { (said.some) }
        }
    }
}

/// Any of the names within those in the cases: one list for all of them, or one for each.
pub(super) fn names_within(
    field: &Field<'_>,
    said: &NameWords,
    (for_all, for_each): (&str, &str),
    found: &Found,
) -> Markup {
    let all = listed(field.value);
    let by_name = field.value.and_then(Value::as_object);
    let each: Vec<(String, Vec<String>)> =
        by_name.into_iter().flatten().map(|(name, list)| (name.clone(), listed(Some(list)))).collect();
    let is_each = by_name.is_some();
    let every = with_those_of(found.iter().flat_map(|(_, names)| names), &all);
    let set: Vec<String> = each.iter().map(|(name, _)| name.clone()).collect();
    let kinds = with_those_of(found.iter().map(|(name, _)| name), &set);
    let mode = format!("{}-mode", field.id());
    html! {
        fieldset.names data-setting=(field.path) data-kind="names-within" {
            legend { (field.label) }
            div.modes {
                label { input type="radio" name=(mode) value="all" checked[!is_each]; (for_all) }
                label { input type="radio" name=(mode) value="each" checked[is_each]; (for_each) }
            }
            div data-mode="all" hidden[is_each] {
                (checklist(&every, |name| all.iter().any(|own| same_name(own, name)), &said.others))
            }
            div data-mode="each" hidden[!is_each] {
                @for kind in &kinds {
                    @let own = within(&each, kind);
                    fieldset.names data-within=(kind) {
                        legend { (visible(kind)) }
                        (checklist(&with_those_of(within(found, kind).iter(), own), |name| own.iter().any(|one| same_name(one, name)), &format!("{} of {kind}", said.others)))
                    }
                }
            }
            p.small.faint.when-none { (said.none) }
            p.small.faint.when-some { (said.some) }
        }
    }
}

/// What is listed under a name.
fn within<'l>(lists: &'l Found, name: &str) -> &'l [String] {
    lists.iter().find(|(other, _)| same_name(other, name)).map_or(&[], |(_, names)| names)
}

fn listed(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Names that were found, and those of the settings that were not.
fn with_those_of<'n>(found: impl Iterator<Item = &'n String>, set: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    // The spelling of the settings wins: what is shown is what is saved.
    let spelled = |name: &String| set.iter().find(|own| same_name(own, name)).unwrap_or(name).clone();
    for name in found.map(spelled).chain(set.iter().cloned()) {
        if !names.iter().any(|known| same_name(known, &name)) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_settings_are_offered_in_their_own_spelling() {
        let found = ["assets", "debts"].map(str::to_owned);
        let set = ["Debts", "pension pots"].map(str::to_owned);
        assert_eq!(with_those_of(found.iter(), &set), ["assets", "Debts", "pension pots"]);
    }
}
