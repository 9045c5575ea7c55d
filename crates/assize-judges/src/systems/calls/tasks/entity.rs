//! Keywords and topics: what was detected, what was expected, what is configured, and what was really spoken.

use super::super::call::{Call, id};
use super::super::compared::ComparedEntity;
use super::{Read, coverage, put, rate, rate_with};
use assize_core::{Bounds, Judgment, Method, Metric};
use assize_metrics::lookup::Heard;
use assize_metrics::script::sounds_alike;
use assize_metrics::text::{Normalisation, normalise};
use indexmap::IndexMap;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The share of a description's words that says its topic was talked about.
const DESCRIBED: f64 = 0.6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntityType {
    Keyword,
    Topic,
}

impl EntityType {
    fn name(self) -> &'static str {
        match self {
            Self::Keyword => "keyword",
            Self::Topic => "topic",
        }
    }
}

/// An entry of the configured list.
struct Configured {
    names: Vec<String>,
    term: String,
    description: String,
}

/// How an entity is in the transcript, as far as code can find.
#[derive(Clone, Debug, PartialEq)]
enum Presence {
    /// In its own script, or by its description.
    Spoken,
    /// Letter by letter in another script.
    Transliterated(String),
    /// By words of another script that sound like it, which may be others.
    Heard(String),
    /// Not to be found without reading.
    NotFound,
}

/// One entity that was expected or detected.
struct Entity {
    kind: EntityType,
    shown: String,
    expected: bool,
    detected: bool,
    configured: bool,
    in_expected_outcome: bool,
    other_script: bool,
    presence: Presence,
    /// Whether the call has words in another script than this, in which it could be said.
    across_scripts: bool,
}

pub(in super::super) struct Entities {
    entities: Vec<Entity>,
    duplicates: Vec<String>,
    has_config: bool,
}

/// Compatibility forms, case, and runs of spaces, underscores and hyphens fall together.
fn key(text: &str) -> String {
    normalise(&text.replace('_', " "), &Normalisation::default())
}

/// The names of an item: a text or a number, or the id and the names of an object.
fn names_of(item: &Value) -> Vec<String> {
    match item {
        Value::String(text) => vec![text.clone()],
        Value::Number(_) => id(Some(item)).into_iter().collect(),
        Value::Object(fields) => ["id", "keyword_id", "topic_id", "text", "name", "keyword", "topic", "value"]
            .iter()
            .filter_map(|key| fields.get(*key))
            .flat_map(names_of)
            .collect(),
        _ => Vec::new(),
    }
}

fn list(value: &Value, kind: EntityType) -> Vec<&Value> {
    let own_id = format!("{}_id", kind.name());
    let lists = value.as_object().into_iter().flatten().filter_map(|(key, value)| Some((key, value.as_array()?)));
    lists
        .flat_map(|(key, items)| items.iter().map(move |item| (key, item)))
        // One list of both says by the names of their ids which is which.
        .filter(|(key, item)| key.contains(kind.name()) || (*key == "data" && item.get(&own_id).is_some()))
        .map(|(_, item)| item)
        .collect()
}

/// Whether an expected outcome says what was to be detected, be it nothing.
pub(in super::super) fn has_lists(expected: &Value) -> bool {
    let mut lists = expected.as_object().into_iter().flatten().filter(|(_, value)| value.is_array());
    lists.any(|(key, _)| {
        key == "data" || [EntityType::Keyword, EntityType::Topic].iter().any(|kind| key.contains(kind.name()))
    })
}

/// The entities of an output or an expected outcome to the letter, by their first name.
pub(in super::super) fn exact_names(value: &Value) -> BTreeSet<(&'static str, String)> {
    let of = |kind: EntityType| list(value, kind).into_iter().map(move |item| (kind.name(), names_of(item)));
    let all = [EntityType::Keyword, EntityType::Topic].into_iter().flat_map(of);
    all.filter_map(|(kind, names)| Some((kind, names.into_iter().next()?))).collect()
}

fn configuration(call: &Call<'_>) -> Vec<Configured> {
    let mut entries: Vec<&Value> = Vec::new();
    let lists = ["keywords", "topics"].iter().filter_map(|key| call.config(key)).collect::<Vec<_>>();
    let lists = if lists.is_empty() { call.config("entities").into_iter().collect() } else { lists };
    for list in &lists {
        entries.extend(list.as_array().into_iter().flatten());
    }
    if lists.is_empty() {
        entries.extend(call.expected.get("valid_entity_set").and_then(Value::as_array).into_iter().flatten());
    }
    entries
        .into_iter()
        .map(|entry| {
            let names = names_of(entry);
            let text = |key: &str| entry.get(key).and_then(Value::as_str).map(str::to_owned);
            Configured {
                term: text("text").or_else(|| text("name")).or_else(|| names.first().cloned()).unwrap_or_default(),
                description: text("description").unwrap_or_default(),
                names: names.iter().map(|name| key(name)).filter(|name| !name.is_empty()).collect(),
            }
        })
        .filter(|entry| !entry.names.is_empty())
        .collect()
}

pub(in super::super) fn find(call: &Call<'_>) -> Entities {
    let configured = configuration(call);
    let valid: Vec<String> = call
        .expected
        .get("valid_entity_set")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .flat_map(names_of)
        .map(|name| key(&name))
        .collect();
    let mut entities: IndexMap<(bool, String), Entity> = IndexMap::new();
    let mut duplicates = Vec::new();
    for kind in [EntityType::Keyword, EntityType::Topic] {
        for (value, is_expected) in [(call.expected, true), (call.output(), false)] {
            for item in list(value, kind) {
                let names: Vec<String> = names_of(item);
                let Some(shown) = names.iter().find(|name| !key(name).is_empty()) else { continue };
                let entry =
                    configured.iter().position(|entry| names.iter().any(|name| entry.names.contains(&key(name))));
                let identity = entry.map_or_else(|| key(shown), |position| format!("#{position}"));
                let in_valid = names.iter().any(|name| valid.contains(&key(name)));
                let entity = entities.entry((kind == EntityType::Topic, identity)).or_insert_with(|| Entity {
                    kind,
                    shown: shown.clone(),
                    expected: false,
                    detected: false,
                    configured: entry.is_some(),
                    in_expected_outcome: in_valid,
                    other_script: false,
                    presence: presence(call, entry.map(|position| &configured[position]), shown, kind),
                    across_scripts: call.transcript.words().has_other_script_than(shown),
                });
                if is_expected {
                    entity.expected = true;
                    entity.in_expected_outcome = true;
                } else if entity.detected {
                    duplicates.push(shown.clone());
                } else {
                    entity.detected = true;
                    entity.other_script =
                        entry.is_none() && configured.iter().any(|entry| sounds_alike(&entry.term, shown));
                }
            }
        }
    }
    // An entity expected as a topic and detected as a keyword is still one the expected outcome has.
    let expected: Vec<String> =
        entities.iter().filter(|(_, entity)| entity.expected).map(|((_, id), _)| id.clone()).collect();
    for ((_, id), entity) in &mut entities {
        entity.in_expected_outcome |= expected.contains(id);
    }
    Entities { entities: entities.into_values().collect(), duplicates, has_config: !configured.is_empty() }
}

fn presence(call: &Call<'_>, configured: Option<&Configured>, shown: &str, kind: EntityType) -> Presence {
    let term = configured.map_or(shown, |entry| entry.term.as_str());
    let words = call.transcript.words();
    if words.contains(term) {
        return Presence::Spoken;
    }
    let heard = words.heard(term);
    if let Some(Heard { words, exact: true }) = heard {
        return Presence::Transliterated(words);
    }
    let description = configured.map_or("", |entry| entry.description.as_str());
    let described = kind == EntityType::Topic
        && [term, description].iter().any(|text| words.share_of(text).is_some_and(|share| share >= DESCRIBED));
    match heard {
        _ if described => Presence::Spoken,
        Some(heard) => Presence::Heard(heard.words),
        None => Presence::NotFound,
    }
}

/// The entities of a case side by side.
pub(in super::super) fn compared(call: &Call<'_>) -> Vec<ComparedEntity> {
    let found = find(call);
    let compared = found.entities.into_iter().map(|entity| ComparedEntity {
        name: entity.shown,
        kind: entity.kind.name(),
        expected: entity.expected,
        detected: entity.detected,
        configured: found.has_config.then_some(entity.configured),
        heard_as: match entity.presence {
            Presence::Transliterated(words) | Presence::Heard(words) => Some(words),
            Presence::Spoken | Presence::NotFound => None,
        },
    });
    compared.collect()
}

impl Entities {
    /// What code did not find for certain in the transcript, in order: the entities to be read for.
    fn unfound(&self) -> impl Iterator<Item = &Entity> {
        self.entities.iter().filter(|entity| entity.is_open())
    }
}

impl Entity {
    fn is_open(&self) -> bool {
        matches!(self.presence, Presence::Heard(_) | Presence::NotFound)
    }
}

pub(in super::super) fn needs_reading(found: &Entities) -> bool {
    found.unfound().next().is_some()
}

pub(in super::super) fn items(found: &Entities) -> Value {
    let items: Vec<Value> = found
        .unfound()
        .enumerate()
        .map(|(index, entity)| {
            let mut item = json!({"item": index + 1, "kind": entity.kind.name(), "entity": entity.shown});
            if let Presence::Heard(words) = &entity.presence {
                item["sounds_like"] = json!(words);
            }
            item
        })
        .collect();
    json!({"entities": items})
}

pub(in super::super) fn violations(found: &Entities, answer: &Value) -> Vec<String> {
    coverage(answer, "entities", found.unfound().count())
}

/// What no search finds is taken to be absent, unless it is expected: then it was there for whoever expected it, and how
/// it was said stays open. So does what may be said in another script: hearing proposes, it does not decide.
pub(in super::super) fn rules(found: &Entities) -> Value {
    let entities: Vec<Value> = found
        .unfound()
        .enumerate()
        .map(|(index, entity)| {
            let presence = if entity.expected || entity.across_scripts { Value::Null } else { json!("absent") };
            json!({"item": index + 1, "surface": "", "presence": presence})
        })
        .collect();
    json!({"entities": entities, "claimed": []})
}

pub(in super::super) fn score(found: &Entities, read: Read<'_>, judgment: &mut Judgment) {
    for (kind, names) in [
        (EntityType::Keyword, ["entity.keyword_precision", "entity.keyword_recall", "entity.keyword_f1"]),
        (EntityType::Topic, ["entity.topic_precision", "entity.topic_recall", "entity.topic_f1"]),
    ] {
        let count = |wanted: &dyn Fn(&Entity) -> bool| {
            found.entities.iter().filter(|entity| entity.kind == kind && wanted(entity)).count()
        };
        let (detected, expected) = (count(&|entity| entity.detected), count(&|entity| entity.expected));
        let both = count(&|entity| entity.detected && entity.expected);
        put(judgment, names[0], rate(both, detected, Method::Code));
        put(judgment, names[1], rate(both, expected, Method::Code));
        // 2PR/(P + R) is 2·both/(detected + expected), which pools and is defined where one of the two is 0/0.
        put(judgment, names[2], rate(2 * both, detected + expected, Method::Code).out_of((detected + expected) as u64));
    }
    let detected: Vec<&Entity> = found.entities.iter().filter(|entity| entity.detected).collect();
    let adhering = detected.iter().filter(|entity| entity.configured).count();
    let out_of = if found.has_config { detected.len() } else { 0 };
    put(judgment, "entity.config_adherence", rate(adhering, out_of, Method::Code));
    if !found.has_config {
        judgment.flag("no_configured_entities");
    }
    score_presence(found, read, judgment);
    let names = |wanted: &dyn Fn(&Entity) -> bool| -> Vec<&str> {
        found.entities.iter().filter(|entity| wanted(entity)).map(|entity| entity.shown.as_str()).collect()
    };
    judgment.labels.insert("missed".into(), json!(names(&|entity| entity.expected && !entity.detected)));
    judgment.labels.insert("unexpected".into(), json!(names(&|entity| entity.detected && !entity.expected)));
    if found.has_config {
        judgment.labels.insert("not_configured".into(), json!(names(&|entity| entity.detected && !entity.configured)));
    }
    let other_script = names(&|entity| entity.other_script);
    if !other_script.is_empty() {
        judgment.labels.insert("entities_in_other_script".into(), json!(other_script));
        judgment.flag("entities_in_other_script");
    }
    if !found.duplicates.is_empty() {
        judgment.labels.insert("duplicate_entities".into(), json!(found.duplicates));
        judgment.flag("duplicate_entities");
    }
}

fn score_presence(found: &Entities, read: Read<'_>, judgment: &mut Judgment) {
    let labels = read.by_item("entities");
    let (mut fabricated, mut crossed, mut crossed_found) = (Vec::new(), Vec::new(), 0);
    // The method is that of the labels only where a label was needed.
    let (mut count_method, mut cross_method) = (Method::Code, Method::Code);
    let (mut item, mut undecided, mut maybe_crossed) = (0, Vec::new(), 0usize);
    for entity in &found.entities {
        let mut surface = None;
        if let Presence::Transliterated(words) = &entity.presence {
            surface = Some(words.clone());
        }
        if entity.is_open() {
            item += 1;
            let label = labels.get(&item).copied().unwrap_or(&Value::Null);
            let presence = label.get("presence").and_then(Value::as_str);
            if presence == Some("other_language") {
                cross_method = read.method();
                surface = Some(label.get("surface").and_then(Value::as_str).unwrap_or_default().to_owned());
            }
            if entity.expected && presence.is_none() && (entity.across_scripts || read.labels.is_none()) {
                cross_method = read.method();
                maybe_crossed += 1;
            }
            if entity.detected && !entity.in_expected_outcome {
                count_method = read.method();
                match presence {
                    Some("absent") => fabricated.push(entity.shown.as_str()),
                    Some(_) => {}
                    None => undecided.push(entity.shown.as_str()),
                }
            }
        }
        if let Some(surface) = surface
            && entity.expected
        {
            crossed_found += usize::from(entity.detected);
            crossed.push(json!({"entity": entity.shown, "heard_as": surface, "detected": entity.detected}));
        }
    }
    let (certain, possible) = (fabricated.len() as f64, (fabricated.len() + undecided.len()) as f64);
    let detected = found.entities.iter().filter(|entity| entity.detected).count();
    let metric = Metric::between(Bounds(possible, certain), count_method)
        .out_of(detected as u64)
        .with_counts([("fabricated", fabricated.len() as u64)]);
    put(judgment, "entity.fabricated_entity_count", metric);
    let cross_language = rate_with(crossed_found, crossed.len(), maybe_crossed, cross_method);
    put(judgment, "entity.cross_language_match_rate", cross_language);
    judgment.labels.insert("fabricated".into(), json!(fabricated));
    if !crossed.is_empty() {
        judgment.labels.insert("cross_language".into(), json!(crossed));
    }
    if !undecided.is_empty() {
        judgment.labels.insert("presence_undecided".into(), json!(undecided));
        judgment.flag("labels_missing");
    }
}
