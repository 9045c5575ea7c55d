//! How the rules read values: one choice for a whole suite, inferred from the values that leave no choice.
//!
//! `1,250` is 1250 or 1.25, `03/04/2024` is in April or in March. What nobody set is inferred from the values of the suite
//! that can be read in one way only; what they do not show stays open, and a match that rests on it is flagged.

use assize_core::document::{Fields, Node, Problems};
use assize_core::hints::{Hints, hinted};
use assize_core::settings::{object, setting, switch};
use assize_metrics::values::{Clock, DateOrder, DecimalMark, Evidence, FieldKind, Locale, Reading};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How the rules read values; a model never sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ValueReading {
    /// Whether texts are read as numbers and identifiers.
    pub numbers: bool,
    /// Whether texts are read as dates and times.
    pub dates: bool,
    /// The decimal mark of `1,234`; inferred where there is none.
    #[serde(with = "infer")]
    pub decimal_mark: Option<DecimalMark>,
    /// Which comes first in `03/04/2024`; inferred where there is none.
    #[serde(with = "infer")]
    pub date_order: Option<DateOrder>,
    /// What `9:30` means; inferred where there is none.
    #[serde(with = "infer")]
    pub time: Option<Clock>,
    /// The language of number words.
    pub locale: Locale,
}

impl Default for ValueReading {
    fn default() -> Self {
        Self { numbers: true, dates: true, decimal_mark: None, date_order: None, time: None, locale: Locale::default() }
    }
}

const MARKS: [(&str, Option<DecimalMark>); 3] =
    [("infer", None), ("point", Some(DecimalMark::Point)), ("comma", Some(DecimalMark::Comma))];
const ORDERS: [(&str, Option<DateOrder>); 3] =
    [("infer", None), ("day_first", Some(DateOrder::DayFirst)), ("month_first", Some(DateOrder::MonthFirst))];
const CLOCKS: [(&str, Option<Clock>); 3] =
    [("infer", None), ("24h", Some(Clock::Hours24)), ("12h", Some(Clock::Hours12))];
const LOCALES: [(&str, Locale); 5] =
    [("any", Locale::Any), ("en", Locale::En), ("de", Locale::De), ("es", Locale::Es), ("fr", Locale::Fr)];

impl ValueReading {
    /// How the values of a field are read.
    pub(super) fn of_field(self, kind: FieldKind) -> Reading {
        Reading {
            numbers: self.numbers,
            dates: self.dates,
            date_order: self.date_order.unwrap_or_default(),
            decimal_mark: self.decimal_mark,
            clock: self.time.unwrap_or_default(),
            locale: self.locale,
            kind,
        }
    }

    /// The same with what was not set and follows: from the language, else from the values of the suite.
    pub(super) fn settled(self, evidence: &Evidence) -> Self {
        let continental = matches!(self.locale, Locale::De | Locale::Es | Locale::Fr);
        let mark = continental.then_some(DecimalMark::Comma).or_else(|| evidence.decimal_mark());
        let order = continental.then_some(DateOrder::DayFirst).or_else(|| evidence.date_order());
        Self {
            decimal_mark: self.decimal_mark.or(mark),
            date_order: self.date_order.or(order),
            time: self.time.or_else(|| evidence.clock()),
            ..self
        }
    }

    /// What is settled, in a sentence; nothing where nothing is.
    pub(super) fn said(self) -> Option<String> {
        let mark = self.decimal_mark.map(|mark| match mark {
            DecimalMark::Point => "numbers with a decimal point",
            DecimalMark::Comma => "numbers with a decimal comma",
        });
        let order = self.date_order.and_then(|order| match order {
            DateOrder::DayFirst => Some("dates with the day first"),
            DateOrder::MonthFirst => Some("dates with the month first"),
            DateOrder::Either => None,
        });
        let time = self.time.map(|clock| match clock {
            Clock::Hours24 => "times by the 24-hour clock",
            Clock::Hours12 => "times by the 12-hour clock",
        });
        let parts: Vec<&str> = [mark, order, time].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| format!("The rules read {}.", parts.join(", ")))
    }

    /// Reads the block; keys that are not there stay as they are.
    pub(super) fn read(&mut self, node: &Node, problems: &mut Problems) {
        let Some(mut fields) = Fields::open(node, "reading", problems) else { return };
        for (name, switch) in [("numbers", &mut self.numbers), ("dates", &mut self.dates)] {
            if let Some(value) = fields.take(name).and_then(|node| node.bool(name, problems)) {
                *switch = value;
            }
        }
        let mark = fields.take("decimal_mark").and_then(|node| node.one_of("decimal_mark", &MARKS, problems));
        self.decimal_mark = mark.unwrap_or(self.decimal_mark);
        let order = fields.take("date_order").and_then(|node| node.one_of("date_order", &ORDERS, problems));
        self.date_order = order.unwrap_or(self.date_order);
        let time = fields.take("time").and_then(|node| node.one_of("time", &CLOCKS, problems));
        self.time = time.unwrap_or(self.time);
        let locale = fields.take("locale").and_then(|node| node.one_of("locale", &LOCALES, problems));
        self.locale = locale.unwrap_or(self.locale);
        fields.finish(problems);
    }

    /// Its schema, as a form draws it.
    pub(super) fn schema() -> Value {
        fn names<T>(choices: &[(&str, T)]) -> Vec<String> {
            choices.iter().map(|(name, _)| (*name).to_owned()).collect()
        }
        let choice = |names: Vec<String>, about: &str, default: &str| {
            setting(json!({"type": "string", "enum": names}), about, json!(default))
        };
        let about = "How the rules read values; a model never sees it. What is inferred follows from the values of the suite that can be read in one way only.";
        let keys = [
            ("numbers", switch("Read texts as numbers and identifiers.", true)),
            ("dates", switch("Read texts as dates and times.", true)),
            ("decimal_mark", choice(names(&MARKS), "The decimal mark of 1,234.", "infer")),
            ("date_order", choice(names(&ORDERS), "Which comes first in 03/04/2024.", "infer")),
            ("time", choice(names(&CLOCKS), "Whether 9:30 is in the morning (24h) or open (12h).", "infer")),
            (
                "locale",
                choice(
                    names(&LOCALES),
                    "The language of number words, and of marks and dates that nothing shows.",
                    "any",
                ),
            ),
        ];
        hinted(setting(object(about, &keys), about, json!(Self::default())), "Reading", Hints::default())
    }
}

/// A choice that may be left to the values, written as `infer`.
mod infer {
    use serde::de::{DeserializeOwned, IntoDeserializer};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<T: Serialize, S: Serializer>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => value.serialize(serializer),
            None => serializer.serialize_str("infer"),
        }
    }

    pub(super) fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        let written = String::deserialize(deserializer)?;
        if written == "infer" { Ok(None) } else { T::deserialize(written.into_deserializer()).map(Some) }
    }
}
