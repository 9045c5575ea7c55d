//! The gate: what must hold for the exit code to be 0.

use crate::document::{Node, NodeValue, Problems, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a figure is compared with its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Operator {
    /// `>=`
    #[serde(rename = ">=")]
    AtLeast,
    /// `>`
    #[serde(rename = ">")]
    Above,
    /// `<=`
    #[serde(rename = "<=")]
    AtMost,
    /// `<`
    #[serde(rename = "<")]
    Below,
    /// `=`
    #[serde(rename = "=")]
    Equal,
}

impl Operator {
    const ALL: [(&'static str, Self); 6] = [
        (">=", Self::AtLeast),
        ("<=", Self::AtMost),
        ("==", Self::Equal),
        (">", Self::Above),
        ("<", Self::Below),
        ("=", Self::Equal),
    ];

    /// Reads a comparison with a number, such as `>= 0.90`; gives it back in plain spelling too.
    pub fn parse(text: &str) -> Option<(Self, f64, String)> {
        let text = text.trim();
        let (sign, comparison) = Self::ALL.into_iter().find(|(sign, _)| text.starts_with(sign))?;
        let number = text[sign.len()..].trim();
        let limit: f64 = number.parse().ok().filter(|limit: &f64| limit.is_finite())?;
        Some((comparison, limit, format!("{sign} {number}")))
    }

    /// The same comparison on a scale that runs the other way.
    pub fn reversed(self) -> Self {
        match self {
            Self::AtLeast => Self::AtMost,
            Self::Above => Self::Below,
            Self::AtMost => Self::AtLeast,
            Self::Below => Self::Above,
            Self::Equal => Self::Equal,
        }
    }

    /// Whether `value` stands to `limit` like this.
    pub fn holds(self, value: f64, limit: f64) -> bool {
        match self {
            Self::AtLeast => value >= limit,
            Self::Above => value > limit,
            Self::AtMost => value <= limit,
            Self::Below => value < limit,
            Self::Equal => value == limit,
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = Self::ALL.iter().rev().find(|(_, operator)| operator == self).map_or("=", |(sign, _)| sign);
        f.write_str(sign)
    }
}

/// One line of the gate.
#[derive(Clone, Debug, PartialEq)]
pub struct GateCheck {
    /// The figure, or `blockers`.
    pub metric: String,
    /// How it is compared.
    pub comparison: Operator,
    /// With what.
    pub limit: f64,
    /// The comparison as written, such as `>= 0.90`.
    pub written: String,
    /// Where the figure's name stands.
    pub span: Span,
}

impl GateCheck {
    /// The name that stands for the number of blockers.
    pub const BLOCKERS: &'static str = "blockers";

    /// Whether the gate holds for a figure. An undefined figure holds nothing.
    pub fn holds(&self, value: Option<f64>) -> bool {
        value.is_some_and(|value| self.comparison.holds(value, self.limit))
    }
}

impl fmt::Display for GateCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.metric, self.written)
    }
}

/// The checks that can be read; what cannot be is reported.
pub(super) fn read(node: &Node, problems: &mut Problems) -> Vec<GateCheck> {
    let NodeValue::Map(entries) = &node.kind else {
        node.expected("gate", "a mapping from a metric to a limit, such as `composite: \">= 0.8\"`", problems);
        return Vec::new();
    };
    let mut checks = Vec::with_capacity(entries.len());
    for (key, limit) in entries {
        let parsed = match &limit.kind {
            NodeValue::Text(text) => Operator::parse(text),
            // `blockers: 0` reads as "no more than that"; for any other figure a bare number would be a guess.
            NodeValue::Number(number) if key.name == GateCheck::BLOCKERS => {
                number.as_f64().map(|limit| (Operator::AtMost, limit, format!("<= {number}")))
            }
            _ => None,
        };
        let Some((comparison, value, written)) = parsed else {
            let what = format!("gate.{}", key.name);
            limit.expected(&what, "a comparison in quotes, such as \">= 0.8\", \"< 3\" or \"= 1\"", problems);
            continue;
        };
        checks.push(GateCheck { metric: key.name.clone(), comparison, limit: value, written, span: key.span });
    }
    checks
}
