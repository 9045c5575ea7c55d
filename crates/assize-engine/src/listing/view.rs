//! Answering a query from columns.

use super::gather::{BETWEEN, FLAGS, Gathering, ID, METRIC, MODEL, STATUS, TAGS, TEXT, VERDICT};
use super::query::{CaseQuery, Mark, Sort, is_near};
use crate::records::{Column, Stretch};
use crate::store::{Store, StoreError};
use std::collections::{BTreeMap, HashMap};
use strum::IntoEnumIterator;

/// The cases that a query means.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CaseList {
    /// Their positions in the run, in the order that was asked for.
    pub positions: Vec<u32>,
    /// How many cases the run has.
    pub total: u32,
    /// What they can be filtered by further.
    pub facets: Facets,
}

/// What a list can be filtered by, with how many cases each choice would leave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facets {
    /// By status.
    pub statuses: Vec<Facet>,
    /// By model.
    pub models: Vec<Facet>,
    /// By verdict.
    pub verdicts: Vec<Facet>,
    /// By flag.
    pub flags: Vec<Facet>,
    /// By tag.
    pub tags: Vec<Facet>,
    /// By mark.
    pub marks: Vec<(Mark, u32)>,
}

/// A value and how many cases have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facet {
    /// The value.
    pub value: String,
    /// How many cases.
    pub count: u32,
}

/// One metric over all cases, by model.
pub type Figures = BTreeMap<String, Vec<f64>>;

impl CaseList {
    /// The cases before and after one, in this order.
    pub fn neighbours(&self, position: u32) -> (Option<u32>, Option<u32>) {
        match self.positions.iter().position(|listed| *listed == position) {
            Some(at) => (at.checked_sub(1).map(|at| self.positions[at]), self.positions.get(at + 1).copied()),
            None => (None, None),
        }
    }
}

/// The cases of a run that a query means. `limits` are those of the gate, by metric; `disputed` are the positions of
/// cases about which people disagree with the judge.
pub fn list(
    store: &Store,
    run: &str,
    query: &CaseQuery,
    limits: &[(String, f64)],
    disputed: &[u32],
) -> Result<CaseList, StoreError> {
    let mut names: Vec<String> = [STATUS, MODEL, VERDICT, FLAGS, TAGS].map(str::to_owned).to_vec();
    names.extend(limits.iter().map(|(metric, _)| format!("{METRIC}{metric}")));
    match &query.sort {
        Sort::Metric(metric) => names.push(format!("{METRIC}{metric}")),
        Sort::Id => names.push(ID.to_owned()),
        Sort::Position | Sort::Model | Sort::Verdict => {}
    }
    if !query.search.trim().is_empty() {
        names.push(TEXT.to_owned());
    }
    let stretches = stretches(store, run, &names)?;
    Ok(Table::new(stretches).list(query, limits, disputed))
}

/// One metric over all cases of a run, by model.
pub fn figures(store: &Store, run: &str, metric: &str) -> Result<Figures, StoreError> {
    let name = format!("{METRIC}{metric}");
    let table = Table::new(stretches(store, run, &[MODEL.to_owned(), name.clone()])?);
    let models = table.words(MODEL);
    let mut figures: Vec<Vec<f64>> = vec![Vec::new(); models.words.len()];
    for (code, figure) in models.codes.iter().zip(table.figures(&name)) {
        if !figure.is_nan() {
            figures[*code as usize].push(figure);
        }
    }
    Ok(models.words.into_iter().zip(figures).filter(|(_, figures)| !figures.is_empty()).collect())
}

/// The verdicts that a run came to, by name.
pub fn verdicts(store: &Store, run: &str) -> Result<Vec<String>, StoreError> {
    let mut verdicts = Table::new(stretches(store, run, &[VERDICT.to_owned()])?).words(VERDICT).words;
    verdicts.retain(|verdict| !verdict.is_empty());
    verdicts.sort_unstable();
    Ok(verdicts)
}

/// The columns of a run. Of a run under way, or one that was killed, the cases behind the last stretch are read from
/// their lines.
fn stretches(store: &Store, run: &str, names: &[String]) -> Result<Vec<Stretch>, StoreError> {
    const PAGE: usize = 500;
    let mut stretches = store.columns(run, names)?;
    let mut next = stretches.last().map_or(0, |last| last.first + last.length() as u32);
    let mut gathering = Gathering::from(next);
    loop {
        let page = store.results(run, next, PAGE)?;
        let Some(last) = page.last() else { break };
        next = last.position + 1;
        for result in &page {
            stretches.extend(gathering.add(&result.case, &result.line));
        }
    }
    stretches.extend(gathering.take());
    Ok(stretches)
}

/// All stretches of a run as one table.
struct Table {
    stretches: Vec<Stretch>,
    total: usize,
}

/// A column of words over a whole run.
#[derive(Default)]
struct Words {
    words: Vec<String>,
    codes: Vec<u32>,
}

/// The groups of filters. A choice within a group is counted as if the group's own filter were not there, so that a reader
/// sees what choosing otherwise would give.
#[derive(Clone, Copy)]
enum Group {
    Status,
    Model,
    Verdict,
    Flags,
    Tags,
    Rest,
}

impl Group {
    fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl Table {
    fn new(stretches: Vec<Stretch>) -> Self {
        let total = stretches.iter().map(Stretch::length).sum();
        Self { stretches, total }
    }

    fn columns<'t>(&'t self, name: &'t str) -> impl Iterator<Item = (usize, Option<&'t Column>)> {
        self.stretches.iter().map(move |stretch| {
            let column = stretch.columns.iter().find(|(known, _)| known == name).map(|(_, column)| column);
            (stretch.length(), column)
        })
    }

    fn words(&self, name: &str) -> Words {
        let mut whole = Words { words: Vec::new(), codes: Vec::with_capacity(self.total) };
        let mut known: HashMap<String, u32> = HashMap::new();
        for (length, column) in self.columns(name) {
            let Some(Column::Words { words, codes }) = column else {
                let code = whole.code_of("", &mut known);
                whole.codes.extend(std::iter::repeat_n(code, length));
                continue;
            };
            let global: Vec<u32> = words.iter().map(|word| whole.code_of(word, &mut known)).collect();
            whole.codes.extend(codes.iter().map(|code| global[*code as usize]));
        }
        whole
    }

    fn figures(&self, name: &str) -> Vec<f64> {
        let mut whole = Vec::with_capacity(self.total);
        for (length, column) in self.columns(name) {
            match column {
                Some(Column::Figures(figures)) => whole.extend(figures),
                _ => whole.extend(std::iter::repeat_n(f64::NAN, length)),
            }
        }
        whole
    }

    fn texts<'t>(&'t self, name: &'t str) -> impl Iterator<Item = &'t str> {
        self.columns(name).flat_map(|(length, column)| {
            let (text, ends): (&str, &[u32]) = match column {
                Some(Column::Texts { text, ends }) => (text, ends),
                _ => ("", &[]),
            };
            (0..length).map(move |at| {
                let begin = at.checked_sub(1).map_or(0, |before| ends.get(before).copied().unwrap_or(0));
                ends.get(at).map_or("", |end| &text[begin as usize..*end as usize])
            })
        })
    }

    fn list(&self, query: &CaseQuery, limits: &[(String, f64)], disputed: &[u32]) -> CaseList {
        let (statuses, models, verdicts) = (self.words(STATUS), self.words(MODEL), self.words(VERDICT));
        let (flags, tags) = (self.words(FLAGS), self.words(TAGS));
        // For each case, the groups of filters that it does not pass.
        let mut failed = vec![0_u8; self.total];
        for (words, group, wanted) in [
            (&statuses, Group::Status, &query.statuses),
            (&models, Group::Model, &query.models),
            (&verdicts, Group::Verdict, &query.verdicts),
            (&flags, Group::Flags, &query.flags),
            (&tags, Group::Tags, &query.tags),
        ] {
            if !wanted.is_empty() {
                words.fail(
                    |word| word.split(BETWEEN).any(|item| wanted.iter().any(|wanted| wanted == item)),
                    group,
                    &mut failed,
                );
            }
        }
        let search = query.search.trim().to_lowercase();
        if !search.is_empty() {
            for (failed, text) in failed.iter_mut().zip(self.texts(TEXT)) {
                if !text.contains(&search) {
                    *failed |= Group::Rest.bit();
                }
            }
        }
        let marked: Vec<(Mark, Vec<bool>)> =
            Mark::iter().map(|mark| (mark, self.marked(mark, &flags, limits, disputed))).collect();
        for (_, has) in marked.iter().filter(|(mark, _)| query.marks.contains(mark)) {
            for (failed, has) in failed.iter_mut().zip(has) {
                if !has {
                    *failed |= Group::Rest.bit();
                }
            }
        }
        let count_marked =
            |has: &[bool]| failed.iter().zip(has).filter(|(failed, has)| **failed == 0 && **has).count() as u32;
        let facets = Facets {
            statuses: statuses.facets(Group::Status, &failed),
            models: models.facets(Group::Model, &failed),
            verdicts: verdicts.facets(Group::Verdict, &failed),
            flags: flags.facets(Group::Flags, &failed),
            tags: tags.facets(Group::Tags, &failed),
            marks: marked.iter().map(|(mark, has)| (*mark, count_marked(has))).collect(),
        };
        let mut positions: Vec<u32> =
            failed.iter().enumerate().filter(|(_, failed)| **failed == 0).map(|(at, _)| at as u32).collect();
        match &query.sort {
            Sort::Position => {}
            Sort::Id => {
                let ids: Vec<&str> = self.texts(ID).collect();
                positions.sort_by_key(|at| ids[*at as usize]);
            }
            Sort::Model => models.sort(&mut positions),
            Sort::Verdict => verdicts.sort(&mut positions),
            Sort::Metric(metric) => {
                let figures = self.figures(&format!("{METRIC}{metric}"));
                sort_by_figure(&mut positions, &figures, query.descending);
            }
        }
        // Figures are sorted in their direction already: what is undefined comes last either way.
        if query.descending && !matches!(query.sort, Sort::Metric(_)) {
            positions.reverse();
        }
        CaseList { positions, total: self.total as u32, facets }
    }

    fn marked(&self, mark: Mark, flags: &Words, limits: &[(String, f64)], disputed: &[u32]) -> Vec<bool> {
        let mut marked = vec![false; self.total];
        match mark {
            Mark::Flagged | Mark::Uncertain | Mark::Contradicted => {
                let named = mark.flags();
                let means = |word: &String| match &named[..] {
                    [] => !word.is_empty(),
                    wanted => word.split(BETWEEN).any(|flag| wanted.contains(&flag)),
                };
                let means: Vec<bool> = flags.words.iter().map(means).collect();
                marked = flags.codes.iter().map(|code| means[*code as usize]).collect();
            }
            Mark::NearThreshold => {
                for (metric, limit) in limits {
                    let figures = self.figures(&format!("{METRIC}{metric}"));
                    marked.iter_mut().zip(figures).for_each(|(marked, figure)| *marked |= is_near(figure, *limit));
                }
            }
            Mark::Disputed => {
                for position in disputed {
                    if let Some(marked) = marked.get_mut(*position as usize) {
                        *marked = true;
                    }
                }
            }
        }
        marked
    }
}

impl Words {
    fn code_of(&mut self, word: &str, known: &mut HashMap<String, u32>) -> u32 {
        if let Some(code) = known.get(word) {
            return *code;
        }
        let code = self.words.len() as u32;
        self.words.push(word.to_owned());
        known.insert(word.to_owned(), code);
        code
    }

    /// Notes for every case whose word does not pass that the group fails.
    fn fail(&self, passes: impl Fn(&str) -> bool, group: Group, failed: &mut [u8]) {
        let fails: Vec<u8> = self.words.iter().map(|word| if passes(word) { 0 } else { group.bit() }).collect();
        failed.iter_mut().zip(&self.codes).for_each(|(failed, code)| *failed |= fails[*code as usize]);
    }

    /// How many cases each word would leave, by words; of a list of words each counts.
    fn facets(&self, group: Group, failed: &[u8]) -> Vec<Facet> {
        let mut counts = vec![0_u32; self.words.len()];
        for (failed, code) in failed.iter().zip(&self.codes) {
            counts[*code as usize] += u32::from(failed & !group.bit() == 0);
        }
        let mut by_word: BTreeMap<&str, u32> = BTreeMap::new();
        for (word, count) in self.words.iter().zip(counts) {
            for item in word.split(BETWEEN).filter(|item| !item.is_empty()) {
                *by_word.entry(item).or_default() += count;
            }
        }
        by_word.into_iter().map(|(value, count)| Facet { value: value.to_owned(), count }).collect()
    }

    fn sort(&self, positions: &mut [u32]) {
        let mut order: Vec<usize> = (0..self.words.len()).collect();
        order.sort_by_key(|code| &self.words[*code]);
        let mut rank = vec![0_u32; self.words.len()];
        order.into_iter().enumerate().for_each(|(place, code)| rank[code] = place as u32);
        positions.sort_by_key(|at| rank[self.codes[*at as usize] as usize]);
    }
}

fn sort_by_figure(positions: &mut [u32], figures: &[f64], descending: bool) {
    positions.sort_by(|one, other| {
        let (one, other) = (figures[*one as usize], figures[*other as usize]);
        let undefined = one.is_nan().cmp(&other.is_nan());
        undefined.then_with(|| if descending { other.total_cmp(&one) } else { one.total_cmp(&other) })
    });
}
