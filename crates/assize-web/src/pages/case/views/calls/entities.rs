//! Keywords and topics: found, missed, invented, and where the call has them.

use super::super::super::evidence::Evidence;
use super::super::{Seen, texts};
use super::Task;
use crate::visible::visible;
use assize_judges::systems::calls::compared::ComparedEntity;
use maud::{Markup, html};

pub(super) fn draw(seen: &Seen<'_>, entities: &[ComparedEntity], evidence: &mut Evidence<'_>) -> Task {
    let fabricated = texts(seen.labels, "fabricated");
    let mut entities: Vec<&ComparedEntity> = entities.iter().collect();
    entities.sort_by_key(|entity| entity.expected && entity.detected);
    let rows: Vec<Markup> =
        entities.iter().map(|entity| row(entity, fabricated.contains(&entity.name.as_str()), evidence)).collect();
    let count = |wanted: fn(&ComparedEntity) -> bool| entities.iter().filter(|entity| wanted(entity)).count();
    let body = html! {
        p.legend {
            (count(|entity| entity.expected && entity.detected)) " found, "
            (count(|entity| entity.expected && !entity.detected)) " missed, "
            (count(|entity| !entity.expected)) " not expected"
        }
        div.scroll tabindex="0" role="region" aria-label="Entities" { table.rulings {
            thead { tr { th { "Entity" } th { "Outcome" } th { "In the call" } th { "Configured" } } }
            tbody { @for row in rows { (row) } }
        } }
    };
    Task { body, marks: Vec::new(), labels: &["missed", "unexpected", "not_configured", "fabricated"] }
}

fn row(entity: &ComparedEntity, fabricated: bool, evidence: &mut Evidence<'_>) -> Markup {
    let said = entity.heard_as.clone().unwrap_or_else(|| entity.name.replace('_', " "));
    let link = evidence.point_at(&said);
    let (rating, word) = match (entity.expected, entity.detected) {
        (true, true) => ("good", "found"),
        (true, false) => ("fail", "missed"),
        (false, _) if fabricated => ("blocker", "fabricated"),
        (false, _) => ("fail", "not expected"),
    };
    html! {
        tr {
            td { b { (visible(&entity.name)) } div.faint.small { (entity.kind) } }
            td { span.rating data-rating=(rating) { (word) } }
            td {
                @if let Some(link) = link { mark.cited data-link=(link) tabindex="0" { (visible(&said)) } }
                @else { span.faint { "not in these words" } }
                @if entity.heard_as.is_some() { div.faint.small { "heard in another script" } }
            }
            td { (match entity.configured { Some(true) => "yes", Some(false) => "no", None => "–" }) }
        }
    }
}
