//! The controls of the fact judge, as its settings are thought of: scope, equivalence, scoring, notes.

use super::form::{checklist, choice, field, identifier, switch};
use super::state::State;
use crate::chart;
use crate::visible::visible;
use crate::whatif::{CaseSet, TOLERANCE_STEP, WIDEST_TOLERANCE};
use assize_judges::systems::facts::JudgeConfig;
use assize_judges::systems::facts::config::{KeyFields, same_name};
use maud::{Markup, html};
use serde_json::json;
use std::sync::Arc;

pub(super) fn form(state: &State, set: Option<&Arc<CaseSet>>, compute: bool) -> Markup {
    let config = state.config();
    let found: &[(String, Vec<String>)] = set.map_or(&[], |set| &set.types);
    html! {
        input type="hidden" value=(config.profile_name) data-setting="profile_name" data-kind="text";
        (scope(&config, found))
        (equivalence(state, &config, set, compute))
        (scoring(&config, found))
        div.setting {
            label.name for=(identifier("extra_instructions")) { "Advanced judge notes (optional)" }
            textarea id=(identifier("extra_instructions")) data-setting="extra_instructions" data-kind="text" rows="3" { (config.extra_instructions) }
            p.small.faint { "Added to the question as your own words. A model reads them; the rules cannot." }
        }
    }
}

fn scope(config: &JudgeConfig, found: &[(String, Vec<String>)]) -> Markup {
    let names = with_those_of(found.iter().map(|(name, _)| name), &config.fact_types_in_scope);
    let chosen = |name: &str| config.fact_types_in_scope.iter().any(|wanted| same_name(wanted, name));
    html! {
        fieldset.names data-setting="fact_types_in_scope" data-kind="names" {
            legend { "Fact types in scope" }
            (checklist(&names, chosen, "Other fact types"))
            p.small.faint.when-none { "None chosen: all types are judged." }
            p.small.faint.when-some { "Only these are judged; choose none for all." }
        }
    }
}

fn equivalence(state: &State, config: &JudgeConfig, set: Option<&Arc<CaseSet>>, compute: bool) -> Markup {
    let id = identifier("numeric_tolerance_percent");
    let tolerance = config.numeric_tolerance_percent;
    let days = ["day", "month", "year"].map(|name| (name, super::form::words(name)));
    let granularity = json!(config.date_granularity);
    html! {
        fieldset {
            legend { "When two values are the same" }
            div.setting.tolerance {
                div.name-row {
                    label.name for=(id) { "Numeric tolerance" }
                    span.nowrap { "± " input type="number" id=(id) min="0" max="100" step="any" value=(tolerance) data-setting="numeric_tolerance_percent" data-kind="number"; " %" }
                }
                (curve(state, set, compute))
                div.slider { input type="range" min="0" max=(WIDEST_TOLERANCE) step=(TOLERANCE_STEP) value=(tolerance) data-twin=(id) aria-label="Numeric tolerance in percent"; }
            }
            (field(&identifier("date_granularity"), "Dates are the same by", "", choice("date_granularity", &days, granularity.as_str())))
            (switch("ignore_minor_wording_diffs", "Ignore minor wording differences", "Punctuation, articles, abbreviations, word order and small slips; never a digit.", config.ignore_minor_wording_diffs))
            (switch("case_insensitive_strings", "Case-insensitive string comparison", "", config.case_insensitive_strings))
        }
    }
}

fn scoring(config: &JudgeConfig, found: &[(String, Vec<String>)]) -> Markup {
    html! {
        fieldset {
            legend { "When two facts are the same" }
            (switch("require_all_fields_match", "Require all fields to match exactly", "Every field of either fact, by the rules above.", config.require_all_fields_match))
            (key_fields(config, found))
            (switch("allow_partial_matches", "Allow partial matches to still count as correct", "The key fields are enough; without key fields, half of all fields.", config.allow_partial_matches))
        }
    }
}

/// The key fields: the same for all types, or type by type.
fn key_fields(config: &JudgeConfig, found: &[(String, Vec<String>)]) -> Markup {
    let (all, by_type): (&[String], Vec<(&String, &Vec<String>)>) = match &config.required_key_fields {
        KeyFields::All(names) => (names, Vec::new()),
        KeyFields::ByType(types) => (&[], types.iter().collect()),
    };
    let is_by_type = matches!(config.required_key_fields, KeyFields::ByType(_));
    let every_field = with_those_of(found.iter().flat_map(|(_, names)| names), all);
    let types = with_those_of(
        found.iter().map(|(name, _)| name),
        &by_type.iter().map(|(name, _)| (*name).clone()).collect::<Vec<_>>(),
    );
    let none = Vec::new();
    html! {
        fieldset.names data-setting="required_key_fields" data-kind="key-fields" {
            legend { "Key fields that must match" }
            div.modes {
                label { input type="radio" name="key-fields" value="all" checked[!is_by_type]; "the same for all types" }
                label { input type="radio" name="key-fields" value="type" checked[is_by_type]; "by fact type" }
            }
            div data-mode="all" hidden[is_by_type] {
                (checklist(&every_field, |name| all.iter().any(|key| same_name(key, name)), "Other key fields"))
            }
            div data-mode="type" hidden[!is_by_type] {
                @for name in &types {
                    @let keys = by_type.iter().find(|(other, _)| same_name(other, name)).map_or(&none, |(_, keys)| keys);
                    @let fields = found.iter().find(|(other, _)| same_name(other, name)).map_or(&none, |(_, fields)| fields);
                    fieldset.names data-type=(name) {
                        legend { (visible(name)) }
                        (checklist(&with_those_of(fields.iter(), keys), |field| keys.iter().any(|key| same_name(key, field)), &format!("Other key fields of {name}")))
                    }
                }
            }
            p.small.faint.when-none { "None chosen: no field has to match by itself." }
            p.small.faint.when-some { "These must match, whatever the others do. One that neither fact has is not asked for." }
        }
    }
}

/// F1 over the tolerance, with a mark where the slider stands.
pub(super) fn curve(state: &State, set: Option<&Arc<CaseSet>>, compute: bool) -> Markup {
    let config = state.config();
    let curve = set.and_then(|set| if compute { Some(set.curve(&config)) } else { set.known(&config) });
    html! {
        div.curve-place data-part="curve" data-later=[curve.is_none().then_some("")] {
            @if let Some(points) = &curve {
                @let series = points.first().map(|point| point.models.keys().cloned().collect::<Vec<_>>()).unwrap_or_default();
                @let lines = series.iter().map(|model| {
                    let values = points.iter().map(|point| (point.value, point.models.get(model).and_then(|figures| figures.overall.f1)));
                    (model.as_str(), values.collect::<Vec<_>>())
                }).collect::<Vec<_>>();
                (chart::curve(&lines, config.numeric_tolerance_percent))
            }
        }
    }
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
