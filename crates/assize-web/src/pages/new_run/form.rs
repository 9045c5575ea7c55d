//! The form of a new run, with room beside it for what it would come to.

use super::Chosen;
use crate::shown::{self, count};
use crate::suites::{KeyHead, SuiteHead, built_in_providers, suggested_models};
use assize_engine::records::RunRequest;
use maud::{Markup, html};
use serde::Serialize;

/// More suites than this are searched rather than looked through.
const MANY: usize = 10;

/// The form and the panel beside it.
pub(super) fn form(suites: &[SuiteHead], chosen: &Chosen) -> Markup {
    let own: Vec<&SuiteHead> = suites.iter().filter(|suite| !suite.bundled).collect();
    let bundled: Vec<&SuiteHead> = suites.iter().filter(|suite| suite.bundled).collect();
    // With nothing chosen, the first of the user's own suites is what they most likely came for.
    let named = suites.iter().position(|suite| suite.suite == chosen.suite);
    let at = named.or_else(|| suites.iter().position(|suite| suite.judge == chosen.judge)).unwrap_or(0);
    let selected = suites.get(at).map(|suite| suite.suite.as_str()).unwrap_or_default();
    let concurrency = RunRequest::CONCURRENCY;
    html! {
        @if !chosen.suite.is_empty() && chosen.suite != selected {
            div.notice data-kind="warning" { p { "There is no suite “" (chosen.suite) "” in the served folder." } }
        }
        form.new-run #new-run method="get" action="/new" {
            div {
                section.card aria-labelledby="suite-title" {
                    h2 #suite-title { "Suite" }
                    @if suites.len() > MANY {
                        p { input #suite-search type="search" placeholder="Name, path or judge" aria-label="Search suites" data-search; }
                    }
                    @if own.is_empty() {
                        p.faint { "There is no suite in the served folder yet: " code { "assize init" } " writes one to start from. The examples below can be run as they are." }
                    } @else {
                        (table("In the served folder", &own, selected))
                    }
                    (table("Examples that come with Assize", &bundled, selected))
                }
                section.card aria-labelledby="judge-title" {
                    h2 #judge-title { "Judge" }
                    div.fields {
                        div.field {
                            label for="model" { "Judge model" }
                            input #model type="text" name="model" list="models" value=(chosen.model) autocomplete="off" spellcheck="false" aria-describedby="model-about";
                            p.about #model-about { "Empty: as the suite says. Otherwise " code { "provider:name" } ", " code { "offline" } " (rules only) or " code { "replay:FILE" } "; several with commas between them are a jury." }
                            datalist #models { @for model in suggested_models(suites) { option value=(model) {} } }
                        }
                        div.field #profile-field hidden {
                            label for="profile" { "Profile" }
                            select #profile name="profile" data-chosen=(chosen.profile) { option value="" { "As the suite says" } }
                            p.about { "Its settings take the place of the suite's." }
                        }
                    }
                    dl.key-list #keys-set {
                        @for key in built_in_providers() { (key_line(&key)) }
                    }
                    p.about { "Keys come from the environment that " code { "assize serve" } " was started in. They are never shown." }
                }
                section.card aria-labelledby="cases-title" {
                    h2 #cases-title { "Cases and limits" }
                    div.fields {
                        div.field {
                            label for="limit" { "Only the first" }
                            input #limit type="number" name="limit" min=(RunRequest::LEAST_LIMIT) max=(u32::MAX) step="1" value=(chosen.limit) placeholder="all cases";
                        }
                        div.field {
                            label for="only" { "Only these ids" }
                            input #only type="text" name="only" value=(chosen.only) placeholder="with commas between them" autocomplete="off" spellcheck="false";
                        }
                        div.field {
                            label for="max-cost" { "Spend at most, in US dollars" }
                            input #max-cost type="number" name="max_cost" min="0" max=(RunRequest::HIGHEST_COST) step="any" value=(chosen.max_cost) placeholder="no limit";
                        }
                        div.field {
                            label for="concurrency" { "Requests at a time" }
                            input #concurrency type="number" name="concurrency" min=(concurrency.least) max=(concurrency.most) step="1" value=(chosen.concurrency) placeholder=(concurrency.default);
                        }
                        div.field {
                            label for="cache" { "Cached answers" }
                            select #cache name="cache" {
                                option value="" selected[chosen.cache.is_empty() || chosen.cache == "use"] { "use them" }
                                option value="refresh" selected[chosen.cache == "refresh"] { "ask anew and keep the new ones" }
                                option value="ignore" selected[chosen.cache == "ignore"] { "ask anew and leave the old ones" }
                            }
                        }
                    }
                }
            }
            (beside())
        }
    }
}

fn table(title: &str, suites: &[&SuiteHead], selected: &str) -> Markup {
    html! {
        div.scroll.suites tabindex="0" role="group" aria-label=(title) {
            table.list {
                thead { tr { th { (title) } th { "Judge" } th { "Judge model" } th.number { "Case files" } } }
                tbody {
                    @for suite in suites { (row(suite, suite.suite == selected)) }
                }
            }
        }
    }
}

fn row(suite: &SuiteHead, selected: bool) -> Markup {
    let name = if suite.name.is_empty() { &suite.suite } else { &suite.name };
    html! {
        tr data-suite {
            td { label.suite {
                input type="radio" name="suite" value=(suite.suite) checked[selected] data-models=(suite.models.join(", "))
                    data-profiles=(json(&suite.profiles)) data-providers=(json(&suite.providers));
                span {
                    strong { (name) }
                    @if !suite.bundled { " " span.faint.path { (suite.suite) } }
                    @if !suite.readable { " " (shown::passed(false, "", "cannot be read")) }
                }
            } }
            td { (suite.judge) }
            td { (suite.models.join(", ")) }
            td.number { (count(suite.case_files as u64)) }
        }
    }
}

/// A value in an attribute, for the script.
fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("lists of names have a JSON form")
}

fn key_line(key: &KeyHead) -> Markup {
    html! {
        div {
            dt { code { (key.provider) ":" } }
            dd { @match &key.variable {
                Some(variable) => { code { (variable) } " " span.rating data-rating=[key.usable.then_some("good")] { (if key.usable { "set" } else { "not set" }) } }
                None => { "needs no key" }
            } }
        }
    }
}

/// What the run would come to, and the button: a script fills it in whenever a choice changes.
fn beside() -> Markup {
    html! {
        aside.card.before #before aria-labelledby="before-title" {
            h2 #before-title { "Before it starts" }
            noscript { p { "This page needs scripts to start a run. In a terminal, " code { "assize run SUITE --dry-run" } " says what a run would ask and cost, and " code { "assize run SUITE" } " runs it." } }
            p.faint #before-note role="status" { "Reading the suite …" }
            dl.figures #figures hidden {
                div { dt { "Cases" } dd data-figure="cases" {} }
                div { dt { "Questions" } dd data-figure="questions" {} }
                div { dt { "Answered already" } dd data-figure="cached" {} }
                div { dt { "To ask" } dd data-figure="to-ask" {} }
                div #texts hidden { dt { "Texts to embed" } dd data-figure="texts" {} }
                div { dt { "Tokens to send, about" } dd data-figure="tokens" {} }
                div { dt { "Cost, about" } dd data-figure="cost" {} }
            }
            div #problems hidden {}
            fieldset #confirm hidden {
                legend { "Send the cases to the servers that this suite names?" }
                div #addresses {}
            }
            details #first-question hidden { summary { "The first question" } div #first-question-text {} }
            div.actions { button.primary #start disabled { "Start the run" } }
            details { summary { "The same in a terminal" } pre #command {} }
        }
    }
}
