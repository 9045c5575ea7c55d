//! Behaviours as they are read: each with its outcome, who decided it and why, beside the texts it was decided by.

use assize_core::layout::{Block, Claim, Column, Grid, GridRow, Inputs, Layout, Line, Pane, Piece, Section};
use assize_core::{Rating, ShownCase};
use serde_json::{Map, Value};

/// The texts a behaviour is judged by, what was written first.
const TEXTS: [&str; 3] = ["candidate_output", "source_narrative", "ground_truth"];

pub(super) fn layout(shown: &ShownCase<'_>) -> Option<Layout> {
    let mut sorted = rulings(shown.labels)?;
    sorted.sort_by_key(RulingLabel::rank);
    let claims = shown.claimed.iter().filter_map(|(code, claim)| {
        let ruling = sorted.iter().find(|ruling| ruling.code == code)?;
        Some((code.clone(), ruling.claims(claim)?))
    });
    let claims = claims.collect();
    let table = Grid {
        title: "Behaviours".to_owned(),
        columns: ["Behaviour", "Outcome", "Why"].map(Column::words).to_vec(),
        rows: sorted.iter().map(RulingLabel::row).collect(),
        ..Grid::default()
    };
    let inputs = Inputs::of(shown.case);
    let place = |name: &str| TEXTS.iter().position(|text| *text == name);
    let mut texts: Vec<(usize, Pane)> =
        inputs.iter().filter_map(|input| Some((place(&input.name)?, input.pane()))).collect();
    texts.sort_by_key(|(place, _)| *place);
    let texts = texts.into_iter().map(|(_, pane)| pane).collect();
    Some(Layout {
        sections: vec![Section { findings: vec![Block::Table(table)], texts, beside: true }],
        inputs: TEXTS.map(str::to_owned).to_vec(),
        labels: ["behaviours", "review", "skipped", "saved_calls", "results"].map(str::to_owned).to_vec(),
        claims,
        ..Layout::default()
    })
}

/// The ruling on a behaviour, as it is recorded among the labels.
#[derive(Clone, Copy, Debug)]
pub struct RulingLabel<'l> {
    /// The behaviour's code.
    pub code: &'l str,
    /// Whether it passes; `None` where that is not decided.
    pub pass: Option<bool>,
    /// `checks`, `model`, `rules`, `person`, `failed` or `skipped`.
    pub decided_by: &'l str,
    /// Why.
    pub reason: &'l str,
    label: &'l Value,
}

/// The rulings among the labels of a case; `None` where it was not judged by behaviours.
pub fn rulings(labels: &Map<String, Value>) -> Option<Vec<RulingLabel<'_>>> {
    let rulings = labels.get("behaviours")?.as_object()?;
    Some(rulings.iter().map(|(code, label)| RulingLabel::read(code, label)).collect())
}

impl<'l> RulingLabel<'l> {
    fn read(code: &'l str, label: &'l Value) -> Self {
        let text = |key: &str| label.get(key).and_then(Value::as_str).unwrap_or_default();
        let pass = label.get("pass").and_then(Value::as_bool);
        Self { code, pass, decided_by: text("decided_by"), reason: text("reason"), label }
    }

    fn text(&self, key: &str) -> Option<&'l str> {
        self.label.get(key).and_then(Value::as_str)
    }

    /// What failed comes first, then what is open, what passed, what was skipped.
    fn rank(&self) -> u8 {
        match (self.pass, self.decided_by) {
            (Some(false), _) => 0,
            (None, "skipped") => 3,
            (None, _) => 1,
            (Some(true), _) => 2,
        }
    }

    fn row(&self) -> GridRow {
        let mut name = vec![Line::of([Piece::strong(self.code)])];
        let behaviour = self.text("behaviour").filter(|name| *name != self.code);
        name.extend(behaviour.map(|name| Line::of([Piece::faint(name.replace('_', " "))])));
        let mut outcome = Line::of([self.outcome()]);
        if self.label.get("uncertain").and_then(Value::as_bool) == Some(true) {
            outcome = outcome.then(Piece::chip("uncertain", Rating::Acceptable));
        }
        let mut why = vec![Line::of([Piece::quoting(self.reason)])];
        let review = self.text("review").map(|why| format!("for review: {}", why.replace('_', " ")));
        why.extend(review.map(|review| Line::of([Piece::faint(review)])));
        GridRow { link: String::new(), cells: vec![name, vec![outcome, self.decided()], why] }
    }

    fn outcome(&self) -> Piece {
        match (self.pass, self.decided_by) {
            (None, "skipped") => Piece::chip("skipped", None),
            (None, "person") => Piece::chip("waits for a person", Rating::Acceptable),
            (pass, _) => Piece::verdict(pass, "pass", "fail", "undecided"),
        }
    }

    fn decided(&self) -> Line {
        let by = match self.decided_by {
            "checks" => "by checks in code",
            "model" => "by the model",
            "rules" => "by rules",
            "failed" => "its question got no answer",
            _ => "",
        };
        let confidence = self.text("confidence").map(|confidence| format!(", {confidence} confidence"));
        Line::small([Piece::faint(format!("{by}{}", confidence.unwrap_or_default()))])
    }

    /// What the model stated of the behaviour, key by key, beside the ruling.
    fn claims(&self, claim: &Value) -> Option<Vec<Claim>> {
        let of = |(key, claim): (&String, &Value)| Claim {
            name: format!("{}: {key}", self.code),
            claimed: claim.clone(),
            computed: self.label.get(key).filter(|value| !value.is_null()).cloned(),
        };
        Some(claim.as_object()?.iter().map(of).collect())
    }
}
