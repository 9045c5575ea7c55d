//! What people say of a judgment, and where they say it.

use crate::judged::Judged;
use crate::shown::moment;
use crate::visible::visible;
use assize_engine::records::{Label, LabelValue};
use maud::{Markup, html};

/// The form, and what was said before. `verdicts` are those the run has.
pub(super) fn card(judged: &Judged, verdicts: &[String]) -> Markup {
    let address = format!("/runs/{}/cases/{}/labels", judged.run.run_id, judged.position);
    html! {
        section.card.correct #correct aria-label="What people say of the judgment" {
            form.opinion data-correct=(address) {
                fieldset.choice {
                    legend { "Is the judgment right?" }
                    label { input type="radio" name="value" value="right" required; "Right" }
                    label { input type="radio" name="value" value="wrong"; "Wrong" }
                }
                @if !verdicts.is_empty() {
                    label.block { "It should have been"
                        select name="corrected" {
                            option value="" { "no other verdict" }
                            @for verdict in verdicts {
                                @if judged.line.verdict.as_ref() != Some(verdict) { option value=(verdict) { (visible(verdict)) } }
                            }
                        }
                    }
                }
                label.block.note { "Why" textarea name="note" rows="1" maxlength="20000" {} }
                label.block { "Your name" input type="text" name="by_whom" required maxlength="200" autocomplete="name" pattern=".*\\S.*" data-name; }
                button.primary { "Save correction" }
            }
            @if judged.labels.is_empty() {
                p.faint.small { "No corrections yet. What people say is kept beside the judgment and changes no figure of the run." }
            } @else {
                ul.said { @for label in judged.labels.iter().rev() { (said(label, &address)) } }
            }
        }
    }
}

fn said(label: &Label, address: &str) -> Markup {
    let withdrawn = label.withdrawn.as_deref();
    let (rating, word) = match label.value {
        LabelValue::Right => ("good", "right"),
        LabelValue::Wrong => ("fail", "wrong"),
    };
    html! {
        li data-withdrawn[withdrawn.is_some()] {
            div {
                span.rating data-rating=(if withdrawn.is_some() { "" } else { rating }) { (word) }
                @if let Some(corrected) = &label.corrected { " should be " b { (visible(corrected)) } }
                " " span.faint { (visible(&label.by_whom)) ", " (moment(&label.at)) }
                @if let Some(at) = withdrawn { span.faint { ", withdrawn " (moment(at)) } }
                @else { " " button.quiet type="button" data-withdraw=(format!("{address}/{}", label.id)) { "Withdraw" } }
            }
            @if !label.note.is_empty() { p { (visible(&label.note)) } }
        }
    }
}
