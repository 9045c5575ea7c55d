//! `judge_config`: how facts are to be compared and scored, as fields instead of prompt edits.
//!
//! It is read strictly, written back as JSON, described by a JSON Schema, and sent to the model as data. Nothing in it
//! changes the arithmetic: it changes what is asked of the model and what the rules accept.

use super::reading::ValueReading;
use assize_core::document::{Fields, Node, NodeValue, Problems};
use assize_core::hints::{Control, DrawnUnit, Hints, NameWords, Slider, hinted};
pub(super) use assize_core::settings::name_key as type_key;
use assize_core::settings::{names, schema, setting, switch};
use assize_metrics::values::{Granularity, Rules};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The settings of the fact judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeConfig {
    /// The name of the profile these settings are, or started from.
    pub profile_name: String,
    /// The fact types that are judged; empty for all.
    pub fact_types_in_scope: Vec<String>,
    /// How far a number may be off, in percent of the gold one.
    pub numeric_tolerance_percent: f64,
    /// How finely dates are compared.
    pub date_granularity: Granularity,
    /// Whether punctuation, articles, abbreviations, accents, the order of lists and small slips are ignored.
    pub ignore_minor_wording_diffs: bool,
    /// Whether upper and lower case are the same.
    pub case_insensitive_strings: bool,
    /// Whether every field of either fact must match.
    pub require_all_fields_match: bool,
    /// The fields that must match in any case.
    pub required_key_fields: KeyFields,
    /// Whether a fact whose key fields match counts as correct although others differ.
    pub allow_partial_matches: bool,
    /// The user's own notes to the judge, added to the question.
    pub extra_instructions: String,
    /// How the rules read values.
    #[serde(default)]
    pub reading: ValueReading,
}

/// The fields that must match: the same for all fact types, or by fact type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum KeyFields {
    /// For every fact type.
    All(Vec<String>),
    /// By fact type; one that is not named has none.
    ByType(IndexMap<String, Vec<String>>),
}

impl Default for JudgeConfig {
    fn default() -> Self {
        Self::strict()
    }
}

impl JudgeConfig {
    /// Every field, to the letter and to the day.
    pub fn strict() -> Self {
        Self {
            profile_name: "strict".into(),
            fact_types_in_scope: Vec::new(),
            numeric_tolerance_percent: 0.0,
            date_granularity: Granularity::Day,
            ignore_minor_wording_diffs: false,
            case_insensitive_strings: false,
            require_all_fields_match: true,
            required_key_fields: KeyFields::All(Vec::new()),
            allow_partial_matches: false,
            extra_instructions: String::new(),
            reading: ValueReading::default(),
        }
    }

    /// The gist: numbers within 5 %, dates to the month, wording and case ignored, half of a fact is enough.
    pub fn lenient() -> Self {
        Self {
            profile_name: "lenient".into(),
            numeric_tolerance_percent: 5.0,
            date_granularity: Granularity::Month,
            ignore_minor_wording_diffs: true,
            case_insensitive_strings: true,
            require_all_fields_match: false,
            allow_partial_matches: true,
            ..Self::strict()
        }
    }

    /// The profiles that come with the binary.
    pub fn built_in() -> [Self; 2] {
        [Self::strict(), Self::lenient()]
    }

    /// Whether facts of this type are judged. An empty list means all.
    pub fn in_scope(&self, fact_type: &str) -> bool {
        self.fact_types_in_scope.is_empty()
            || self.fact_types_in_scope.iter().any(|wanted| type_key(wanted) == type_key(fact_type))
    }

    /// The fields that must match in a fact of this type.
    pub fn key_fields(&self, fact_type: &str) -> &[String] {
        match &self.required_key_fields {
            KeyFields::All(fields) => fields,
            KeyFields::ByType(types) => types
                .iter()
                .find(|(name, _)| type_key(name) == type_key(fact_type))
                .map_or(&[], |(_, fields)| fields.as_slice()),
        }
    }

    /// The rules by which values are compared.
    pub fn rules(&self) -> Rules {
        Rules {
            tolerance_percent: self.numeric_tolerance_percent,
            granularity: self.date_granularity,
            ignore_case: self.case_insensitive_strings,
            ignore_wording: self.ignore_minor_wording_diffs,
        }
    }

    /// Reads a `judge_config`; keys that are not there come from `base`. Everything that is wrong is reported.
    pub fn read(node: &Node, base: Self, problems: &mut Problems) -> Option<Self> {
        let before = problems.count();
        let mut fields = Fields::open(node, "judge_config", problems)?;
        let config = Self::read_fields(&mut fields, base, problems);
        fields.finish(problems);
        (problems.count() == before).then_some(config)
    }

    /// Reads the keys of a `judge_config` out of a mapping that may hold others.
    pub(super) fn read_fields(fields: &mut Fields<'_>, base: Self, problems: &mut Problems) -> Self {
        let mut config = base;
        if let Some(name) = fields.take("profile_name").and_then(|node| node.filled_text("profile_name", problems)) {
            config.profile_name = name.to_owned();
        }
        if let Some(types) =
            fields.take("fact_types_in_scope").and_then(|node| read_names(node, "fact_types_in_scope", problems))
        {
            config.fact_types_in_scope = types;
        }
        let tolerance = fields.take("numeric_tolerance_percent");
        if let Some(tolerance) =
            tolerance.and_then(|node| node.number("numeric_tolerance_percent", 0.0..=100.0, problems))
        {
            config.numeric_tolerance_percent = tolerance;
        }
        let granularities = [("day", Granularity::Day), ("month", Granularity::Month), ("year", Granularity::Year)];
        let granularity = fields.take("date_granularity");
        if let Some(granularity) =
            granularity.and_then(|node| node.one_of("date_granularity", &granularities, problems))
        {
            config.date_granularity = granularity;
        }
        let switches = [
            ("ignore_minor_wording_diffs", &mut config.ignore_minor_wording_diffs),
            ("case_insensitive_strings", &mut config.case_insensitive_strings),
            ("require_all_fields_match", &mut config.require_all_fields_match),
            ("allow_partial_matches", &mut config.allow_partial_matches),
        ];
        for (name, switch) in switches {
            if let Some(value) = fields.take(name).and_then(|node| node.bool(name, problems)) {
                *switch = value;
            }
        }
        if let Some(keys) = fields.take("required_key_fields").and_then(|node| key_fields(node, problems)) {
            config.required_key_fields = keys;
        }
        if let Some(notes) =
            fields.take("extra_instructions").and_then(|node| node.text("extra_instructions", problems))
        {
            config.extra_instructions = notes.to_owned();
        }
        if let Some(node) = fields.take("reading") {
            config.reading.read(node, problems);
        }
        config
    }

    /// The JSON Schema of a `judge_config` as a person writes it: every key optional, none unknown.
    pub fn schema() -> Value {
        let about =
            "How the fact-extraction judge compares and scores facts. The defaults are those of the profile `strict`.";
        schema("judge_config", about, &Self::settings())
    }

    /// The schema of each key, with how a form shows it.
    pub(super) fn settings() -> [(&'static str, Value); 11] {
        let name = json!({"type": "string", "minLength": 1});
        let granularity = json!({"type": "string", "enum": ["day", "month", "year"]});
        let key_fields = json!({"anyOf": [names(), {"type": "object", "additionalProperties": names()}]});
        let values = || Hints::under("When two values are the same");
        let facts = || Hints::under("When two facts are the same");
        [
            (
                "profile_name",
                hinted(
                    setting(name, "The name of the profile these settings are, or started from.", json!("strict")),
                    "Name",
                    Hints::default().drawn_as(Control::ProfileName),
                ),
            ),
            (
                "fact_types_in_scope",
                hinted(
                    setting(names(), "The fact types that are judged; empty for all.", json!([])),
                    "Fact types in scope",
                    Hints::default().drawn_as(Control::Names(NameWords {
                        others: "Other fact types".into(),
                        none: "None chosen: all types are judged.".into(),
                        some: "Only these are judged; choose none for all.".into(),
                    })),
                ),
            ),
            ("numeric_tolerance_percent", tolerance(values())),
            (
                "date_granularity",
                hinted(
                    setting(granularity, "How finely dates are compared.", json!("day")),
                    "Dates are the same by",
                    values().about(""),
                ),
            ),
            (
                "ignore_minor_wording_diffs",
                hinted(
                    switch(
                        "Ignore punctuation, articles, abbreviations, accents, the order of lists and small slips; a digit is never ignored.",
                        false,
                    ),
                    "Ignore minor wording differences",
                    values().about("Punctuation, articles, abbreviations, accents, the order of lists and small slips; never a digit."),
                ),
            ),
            (
                "case_insensitive_strings",
                hinted(
                    switch("Ignore upper and lower case.", false),
                    "Case-insensitive string comparison",
                    values().about(""),
                ),
            ),
            (
                "require_all_fields_match",
                hinted(
                    switch("Every field of either fact must match.", true),
                    "Require all fields to match exactly",
                    facts().about("Every field of either fact, by the rules above."),
                ),
            ),
            (
                "required_key_fields",
                hinted(
                    setting(
                        key_fields,
                        "The fields that must match in any case: a list for all fact types, or a map by fact type.",
                        json!([]),
                    ),
                    "Key fields that must match",
                    facts().drawn_as(Control::NamesWithin {
                        words: NameWords {
                            others: "Other key fields".into(),
                            none: "None chosen: no field has to match by itself.".into(),
                            some:
                                "These must match, whatever the others do. One that neither fact has is not asked for."
                                    .into(),
                        },
                        all: "the same for all types".into(),
                        each: "by fact type".into(),
                    }),
                ),
            ),
            (
                "allow_partial_matches",
                hinted(
                    switch("A fact whose key fields match counts as correct although others differ.", false),
                    "Allow partial matches to still count as correct",
                    facts().about("The key fields are enough; without key fields, half of all fields. Never over a denial, another side, dose or unit."),
                ),
            ),
            ("extra_instructions", notes()),
            ("reading", ValueReading::schema()),
        ]
    }
}

fn tolerance(hints: Hints) -> Value {
    let number = json!({"type": "number", "minimum": 0, "maximum": 100});
    let unit = DrawnUnit { before: "± ".into(), after: " %".into(), words: "in percent".into() };
    let slider = Slider { to: 20.0, step: 0.5, curve: true };
    hinted(
        setting(number, "How far a number may be off, in percent of the gold one.", json!(0)),
        "Numeric tolerance",
        Hints { unit: Some(unit), slider: Some(slider), ..hints }.about(""),
    )
}

fn notes() -> Value {
    let about = "Added to the question as your own words. A model reads them; the rules cannot.";
    hinted(
        setting(json!({"type": "string"}), "Your own notes to the judge, added to the question.", json!("")),
        "Advanced judge notes (optional)",
        Hints { asked_only: true, ..Hints::default() }.drawn_as(Control::Notes).about(about),
    )
}

fn read_names(node: &Node, what: &str, problems: &mut Problems) -> Option<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    for item in node.list(what, problems)? {
        if let Some(name) = item.filled_text(what, problems) {
            if names.iter().any(|other| other == name) {
                problems.report(item.span, format!("`{name}` stands twice in `{what}`"));
            }
            names.push(name.to_owned());
        }
    }
    Some(names)
}

fn key_fields(node: &Node, problems: &mut Problems) -> Option<KeyFields> {
    let what = "required_key_fields";
    match &node.kind {
        NodeValue::List(_) => read_names(node, what, problems).map(KeyFields::All),
        NodeValue::Map(entries) => {
            let types = entries.iter().filter_map(|(key, node)| {
                Some((key.name.clone(), read_names(node, &format!("{what}.{}", key.name), problems)?))
            });
            Some(KeyFields::ByType(types.collect()))
        }
        _ => {
            node.expected(what, "a list of field names, or a mapping from a fact type to such a list", problems);
            None
        }
    }
}
