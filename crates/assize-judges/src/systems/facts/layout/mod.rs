//! Facts side by side: gold on one side, predicted on the other, what belongs together in one row, field by field with the
//! reason of the matcher.

mod card;

use super::Fact;
use super::config::JudgeConfig;
use super::matcher::{Miss, Side, compare_facts, match_facts};
use super::result::{GoldLabel, PredictedLabel};
use super::settings;
use assize_core::ShownCase;
use assize_core::document::{Node, Problems, Span};
use assize_core::layout::{Block, Cards, Inputs, Layout, Line, Notice, Pane, Piece, Section};
use serde_json::Value;
use std::collections::HashMap;

/// The input in which facts are said.
const TRANSCRIPT: &str = "transcript";

pub(super) fn layout(shown: &ShownCase<'_>) -> Option<Layout> {
    let read = |key: &str| shown.labels.get(key).cloned().unwrap_or_default();
    let gold: Vec<GoldLabel> = serde_json::from_value(read("gold_facts")).ok()?;
    let predicted: Vec<PredictedLabel> = serde_json::from_value(read("predicted_facts")).ok()?;
    let derived = shown.list("gold_facts").iter().any(|fact| fact.get("derived") == Some(&Value::Bool(true)));
    let facts = Facts::new(gold, predicted, settings_of(shown.settings));
    let rows = facts.rows();
    let title =
        |words: &str, count: usize, note: &str| Line::of([Piece::plain(words), Piece::faint(format!("{count}{note}"))]);
    let cards = Cards {
        titles: [
            title("Gold facts ", facts.gold.len(), if derived { ", derived by the model" } else { "" }),
            title("Predicted facts ", facts.predicted.len(), ""),
        ],
        absent: ["no gold fact", "no prediction"].map(str::to_owned),
        rows: rows.iter().enumerate().map(|(number, row)| facts.cards(number, row)).collect(),
    };
    let mut findings: Vec<Block> = facts.contradictions(shown.list("audit")).into_iter().map(Block::Notice).collect();
    findings.push(Block::Cards(cards));
    let inputs = Inputs::of(shown.case);
    let transcript =
        shown.case.inputs.contains_key(TRANSCRIPT).then(|| Pane::of_input(TRANSCRIPT, inputs.text(TRANSCRIPT)));
    Some(Layout {
        sections: vec![Section { findings, texts: transcript.into_iter().collect(), beside: false }],
        evidence: Some(vec![TRANSCRIPT.to_owned()]),
        inputs: [TRANSCRIPT, "predicted_facts", "gold_facts"].map(str::to_owned).to_vec(),
        labels: ["predicted_facts", "gold_facts", "reasons", "audit"].map(str::to_owned).to_vec(),
        ..Layout::default()
    })
}

/// The settings of the run, where they can be read.
fn settings_of(settings: &Value) -> Option<JudgeConfig> {
    let node = (!settings.is_null()).then(|| Node::of(settings, Span::at(1, 1)));
    settings::read(node.as_ref(), &mut Problems::default())
}

/// The facts of a case with their labels, and what the rules find in them.
struct Facts {
    gold: Vec<GoldLabel>,
    predicted: Vec<PredictedLabel>,
    settings: Option<JudgeConfig>,
    misses: HashMap<(Side, String), Miss>,
}

/// Facts that belong together, by their places.
#[derive(Debug, Default, PartialEq, Eq)]
struct Row {
    gold: Vec<usize>,
    predicted: Vec<usize>,
}

impl Facts {
    fn new(gold: Vec<GoldLabel>, predicted: Vec<PredictedLabel>, settings: Option<JudgeConfig>) -> Self {
        let misses = settings.as_ref().map(|settings| {
            let (gold, predicted): (Vec<Fact>, Vec<Fact>) =
                (gold.iter().map(gold_fact).collect(), predicted.iter().map(predicted_fact).collect());
            match_facts(&predicted, &gold, settings).misses
        });
        let misses = misses.into_iter().flatten().map(|miss| ((miss.side, miss.id.clone()), miss)).collect();
        Self { gold, predicted, settings, misses }
    }

    /// What belongs together, in the order of the gold facts; predictions that belong to none come last.
    fn rows(&self) -> Vec<Row> {
        let place: HashMap<&str, usize> =
            self.predicted.iter().enumerate().map(|(at, fact)| (fact.id.as_str(), at)).collect();
        let mut rows: Vec<Row> = Vec::new();
        let mut row_of: HashMap<usize, usize> = HashMap::new();
        for (at, fact) in self.gold.iter().enumerate() {
            let matched: Vec<usize> =
                fact.matched_prediction_ids.iter().filter_map(|id| place.get(id.as_str()).copied()).collect();
            // A prediction that states two gold facts brings them into one row.
            let row = matched.iter().find_map(|prediction| row_of.get(prediction).copied()).unwrap_or_else(|| {
                rows.push(Row::default());
                rows.len() - 1
            });
            rows[row].gold.push(at);
            for prediction in matched {
                if row_of.insert(prediction, row).is_none() {
                    rows[row].predicted.push(prediction);
                }
            }
        }
        for (at, fact) in self.predicted.iter().enumerate().filter(|(at, _)| !row_of.contains_key(at)) {
            // A wrong prediction and a missed fact that are closest to each other stand side by side.
            let closest =
                self.closest(Side::Predicted, &fact.id).filter(|gold| self.closest(Side::Gold, gold) == Some(&fact.id));
            let beside = closest.and_then(|id| {
                rows.iter()
                    .position(|row| row.predicted.is_empty() && row.gold.iter().any(|gold| self.gold[*gold].id == id))
            });
            match beside {
                Some(row) => rows[row].predicted.push(at),
                None => rows.push(Row { gold: Vec::new(), predicted: vec![at] }),
            }
        }
        rows
    }

    /// The fact of the other side that comes closest to one without a partner.
    fn closest(&self, side: Side, id: &str) -> Option<&str> {
        self.misses.get(&(side, id.to_owned())).and_then(|miss| miss.nearest.as_deref())
    }

    /// Where a model's labels contradict the settings.
    fn contradictions(&self, audit: &[Value]) -> Vec<Notice> {
        let notice = |entry: &Value| {
            let named = |key: &str| text(entry, key).unwrap_or_default();
            let (predicted, gold) = (named("predicted_id"), named("gold_id"));
            let lead = Piece::strong("The rules contradict the model: ");
            let items = self.contradicting(entry, predicted, gold);
            let items = items.into_iter().map(|(field, reason)| Line::plain(format!("{field}: {reason}"))).collect();
            let lines = vec![Line::of([lead, Piece::plain(contradiction(entry, predicted, gold))])];
            Notice { is_error: false, lines, items, not_listed: 0 }
        };
        audit.iter().map(notice).collect()
    }

    fn contradicting(&self, entry: &Value, predicted: &str, gold: &str) -> Vec<(String, String)> {
        let named: Vec<&str> = entry
            .get("fields")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|field| text(field, "field"))
            .collect();
        let predicted = self.predicted.iter().find(|fact| fact.id == predicted);
        let gold = self.gold.iter().find(|fact| fact.id == gold);
        let (Some(predicted), Some(gold), Some(settings)) = (predicted, gold, &self.settings) else {
            return Vec::new();
        };
        compare_facts(&predicted_fact(predicted), &gold_fact(gold), settings)
            .into_iter()
            .filter(|field| named.contains(&field.field.as_str()))
            .map(|field| (field.field, field.reason.to_string()))
            .collect()
    }
}

fn contradiction(entry: &Value, predicted: &str, gold: &str) -> String {
    match text(entry, "contradiction").unwrap_or_default() {
        "linked_but_different" => format!("it links {predicted} with {gold}, and a field differs that must not."),
        "linked_across_types" => format!("it links {predicted} with {gold}, which are facts of different types."),
        "false_positive_with_twin" => format!("it calls {predicted} wrong, and {gold} says the same."),
        "false_negative_with_twin" => format!("it calls {gold} missed, and {predicted} says the same."),
        other => format!("{}: {predicted}, {gold}", other.replace('_', " ")),
    }
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

fn gold_fact(label: &GoldLabel) -> Fact {
    Fact { id: label.id.clone(), fact_type: label.fact_type.clone(), fields: label.fields.clone() }
}

fn predicted_fact(label: &PredictedLabel) -> Fact {
    Fact { id: label.id.clone(), fact_type: label.fact_type.clone(), fields: label.fields.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn facts(gold: Value, predicted: Value) -> Facts {
        let (gold, predicted) = (serde_json::from_value(gold), serde_json::from_value(predicted));
        Facts::new(
            gold.expect("gold labels"),
            predicted.expect("predicted labels"),
            settings_of(&json!({"profile": "strict"})),
        )
    }

    fn gold(id: &str, amount: &str, matched: &[&str]) -> Value {
        let status = if matched.is_empty() { "FN" } else { "TP" };
        let mut label = fact(id, amount);
        label["matched_prediction_ids"] = json!(matched);
        label["status"] = json!(status);
        label
    }

    fn predicted(id: &str, amount: &str, matched: &[&str]) -> Value {
        let status = if matched.is_empty() { "FP" } else { "TP" };
        let mut label = fact(id, amount);
        label["matched_gold_ids"] = json!(matched);
        label["status"] = json!(status);
        label
    }

    /// Facts with the same number are about the same thing.
    fn fact(id: &str, amount: &str) -> Value {
        let fields = json!({"what": format!("thing {}", &id[1..]), "amount": amount});
        json!({"id": id, "fact_type": "debts", "fields": fields, "in_scope": true})
    }

    #[test]
    fn what_belongs_together_stands_in_one_row() {
        let facts = facts(
            json!([gold("g1", "1", &["p2"]), gold("g2", "9", &[]), gold("g3", "1", &["p2", "p3"])]),
            json!([predicted("p9", "7", &[]), predicted("p2", "1", &["g1", "g3"]), predicted("p3", "1", &["g3"])]),
        );
        let row = |gold: &[usize], predicted: &[usize]| Row { gold: gold.to_vec(), predicted: predicted.to_vec() };
        assert_eq!(facts.rows(), [row(&[0, 2], &[1, 2]), row(&[1], &[]), row(&[], &[0])]);
    }

    #[test]
    fn a_miss_is_compared_with_the_closest_and_an_audit_says_which_field() {
        let facts = facts(
            json!([gold("g1", "£100", &["p1"]), gold("g2", "£200", &[])]),
            json!([predicted("p1", "£105", &["g1"]), predicted("p2", "£201", &[])]),
        );
        assert_eq!(facts.rows()[1], Row { gold: vec![1], predicted: vec![1] }, "closest to each other");
        let missed = facts.gold_card(1, false, "f1");
        let said: Vec<String> = missed.fields.iter().map(|field| field.value.text()).collect();
        assert_eq!((missed.outcome.as_str(), missed.rating), ("FN missed", Some(assize_core::Rating::Fail)));
        assert!(said.iter().any(|field| field.contains("0.50 % off, more than 0 %")), "{said:?}");
        let audit = json!([{"contradiction": "linked_but_different", "predicted_id": "p1", "gold_id": "g1", "fields": [{"field": "amount"}]}]);
        let notices = facts.contradictions(audit.as_array().expect("a list"));
        assert!(notices[0].lines[0].text().contains("it links p1 with g1"), "{notices:?}");
        assert_eq!(notices[0].items[0].text(), "amount: 5.00 % off, more than 0 %");
    }
}
