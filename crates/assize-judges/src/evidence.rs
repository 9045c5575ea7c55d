//! What is quoted, and where it stands: a reason says “…”, and the words are marked in the texts of the case.
//!
//! Whoever shows a case looks up everything that quotes first, with [`Evidence::cite`] and [`Evidence::settle`], and then
//! marks the texts with what was quoted of them, with [`Evidence::mark`].

use assize_core::layout::{Inputs, Layout, Line, Mark, MarkKind, Pane, Piece};
use assize_metrics::lookup::Searchable;
use assize_metrics::text::{LocatedWord, Normalisation, located_words, quotations, words};
use indexmap::IndexMap;
use std::cell::OnceCell;
use std::ops::Range;

/// As many comparisons of words as are made for one case: a few milliseconds.
const MOST_WORK: usize = 10_000_000;

/// As many different quotations as are looked up for one case.
const MOST_QUOTES: usize = 300;

/// A text that quotations are looked for in.
struct Source<'c> {
    input: &'c str,
    text: &'c str,
    ready: OnceCell<(Searchable, Vec<LocatedWord>)>,
}

/// The quotations of a case, looked up.
pub struct Evidence<'c> {
    sources: Vec<Source<'c>>,
    found: IndexMap<String, Vec<(usize, Range<usize>)>>,
    work: usize,
}

impl<'c> Evidence<'c> {
    /// Nothing looked up yet in the texts of a case; in those of `only`, where it says so. A reason that is itself part of
    /// an input proves nothing by standing there.
    pub fn over<S: AsRef<str>>(inputs: &'c Inputs, only: Option<&[S]>) -> Self {
        let wanted = |name: &str| only.is_none_or(|only| only.iter().any(|input| input.as_ref() == name));
        let searched = inputs.iter().filter(|input| wanted(&input.name));
        let sources = searched.map(|input| Source { input: &input.name, text: &input.text, ready: OnceCell::new() });
        Self { sources: sources.collect(), found: IndexMap::new(), work: 0 }
    }

    /// Marks for the quotations of a text: linked to where they were found, or as found nowhere.
    pub fn cite(&mut self, text: &str) -> Vec<Mark> {
        quotations(text)
            .into_iter()
            .filter(|place| is_evidence(&text[place.clone()]))
            .filter_map(|place| {
                let link = self.look_up(&text[place.clone()])?;
                Some(match link {
                    Some(link) => Mark::new(place, MarkKind::Cited, link, "quoted; marked where it stands"),
                    None => Mark::new(place, MarkKind::Wrong, "", "quoted, and found in none of the texts"),
                })
            })
            .collect()
    }

    /// The link of a word or phrase that stands for itself, where one of the texts has it.
    pub fn point_at(&mut self, phrase: &str) -> Option<String> {
        self.look_up(phrase).flatten()
    }

    /// Where a phrase stands in an input, in bytes, without marking it.
    pub fn place_of(&mut self, phrase: &str, input: &str) -> Option<Range<usize>> {
        let source = self.sources.iter().find(|source| source.input == input)?;
        let work = source.text.len() / 5 * words(phrase).len();
        if self.work + work > MOST_WORK {
            return None;
        }
        self.work += work;
        source.place_of(phrase)
    }

    /// Looks up everything that a layout quotes or points at, and puts marks in its place.
    pub fn settle(&mut self, layout: &mut Layout) {
        layout.lines_mut().for_each(|line| self.settle_line(line));
    }

    fn settle_line(&mut self, line: &mut Line) {
        for piece in &mut line.pieces {
            match piece {
                Piece::Quoting { text } => {
                    let marks = self.cite(text);
                    *piece = Piece::Marked { text: std::mem::take(text), marks };
                }
                Piece::Phrase { text, searched, absent } => {
                    let link = searched.iter().find_map(|phrase| self.point_at(phrase));
                    *piece = match (link, absent.take()) {
                        (Some(link), _) => Piece::marked(std::mem::take(text), MarkKind::Cited, link, ""),
                        (None, Some(absent)) => Piece::faint(absent),
                        (None, None) => Piece::plain(std::mem::take(text)),
                    };
                }
                _ => {}
            }
        }
    }

    /// Marks what was quoted of the input that a pane shows.
    pub fn mark(&self, pane: &mut Pane) {
        if let Some(input) = &pane.input {
            pane.marks.extend(self.marks(input));
        }
    }

    /// What was cited of an input.
    fn marks(&self, input: &str) -> Vec<Mark> {
        let mut marks = Vec::new();
        for (number, places) in self.found.values().enumerate() {
            for (source, place) in places {
                if self.sources[*source].input == input {
                    marks.push(Mark::new(place.clone(), MarkKind::Cited, link(number), "quoted"));
                }
            }
        }
        marks
    }

    /// Its link where it was found, nothing where it was not; `None` where it was not looked up.
    fn look_up(&mut self, quotation: &str) -> Option<Option<String>> {
        if let Some((number, _, places)) = self.found.get_full(quotation) {
            return Some((!places.is_empty()).then(|| link(number)));
        }
        let length = words(quotation).len();
        let size: usize = self.sources.iter().map(|source| source.text.len() / 5).sum();
        if self.found.len() >= MOST_QUOTES || self.work + size * length > MOST_WORK {
            return None;
        }
        self.work += size * length;
        let places: Vec<(usize, Range<usize>)> = self
            .sources
            .iter()
            .enumerate()
            .filter_map(|(number, source)| Some((number, source.place_of(quotation)?)))
            .collect();
        let (number, _) = self.found.insert_full(quotation.to_owned(), places);
        Some((!self.found[number].is_empty()).then(|| link(number)))
    }
}

impl Source<'_> {
    fn place_of(&self, quotation: &str) -> Option<Range<usize>> {
        let (searchable, located) = self
            .ready
            .get_or_init(|| (Searchable::new(self.text), located_words(self.text, &Normalisation::default())));
        let found = match searchable.quoted(quotation) {
            Some(quoted) => quoted.start..quoted.end,
            // A term may stand there in another inflection.
            None => searchable.place_of(quotation)?,
        };
        let (first, last) = (located.get(found.start)?, located.get(found.end.checked_sub(1)?)?);
        Some(first.place.start..last.place.end)
    }
}

fn link(number: usize) -> String {
    format!("q{number}")
}

/// Whether what stands in quotation marks points at words of a text: a single word may only be named. A number is
/// rarely named without being meant.
fn is_evidence(quotation: &str) -> bool {
    words(quotation).len() > 1 || quotation.chars().any(char::is_numeric)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn inputs() -> Inputs {
        let case = json!({"id": "c", "model": "m", "inputs": {
            "transcript": "Agent: Good morning, how can I help?\nCustomer: My bill says $49.00!",
            "note": {"amount": "49.00", "said": "the bill"},
        }});
        Inputs::of(&serde_json::from_value(case).expect("a case"))
    }

    const ALL: Option<&[&str]> = None;

    #[test]
    fn quotations_are_marked_where_they_stand_and_where_they_are_said() {
        let inputs = inputs();
        let mut evidence = Evidence::over(&inputs, ALL);
        let reason =
            "The agent said 'good morning how may I help', not “may I have your name”, and \"help\" is a word.";
        let said = evidence.cite(reason);
        let seen: Vec<_> =
            said.iter().map(|mark| (&reason[mark.place.clone()], mark.kind, mark.link.as_str())).collect();
        // A single word is named, not quoted.
        let expected =
            [("good morning how may I help", MarkKind::Cited, "q0"), ("may I have your name", MarkKind::Wrong, "")];
        assert_eq!(seen, expected);
        assert_eq!(said[1].title, "quoted, and found in none of the texts");
        let marks = evidence.marks("transcript");
        assert_eq!(marks.len(), 1);
        assert_eq!(&inputs.text("transcript")[marks[0].place.clone()], "Good morning, how can I help");
    }

    #[test]
    fn a_layout_is_settled_piece_by_piece() {
        let inputs = inputs();
        let mut evidence = Evidence::over(&inputs, ALL);
        let phrase = |text: &str, absent: Option<&str>| Piece::Phrase {
            text: text.to_owned(),
            searched: vec![text.to_owned()],
            absent: absent.map(str::to_owned),
        };
        let mut line = Line::of([
            Piece::quoting("says “the bill”"),
            phrase("bill says", None),
            phrase("parrot", Some("not in these words")),
            phrase("parrot", None),
        ]);
        evidence.settle_line(&mut line);
        let Piece::Marked { marks, .. } = &line.pieces[0] else { panic!("not marked: {line:?}") };
        assert_eq!((marks[0].kind, marks[0].link.as_str()), (MarkKind::Cited, "q0"));
        assert_eq!(line.pieces[1], Piece::marked("bill says", MarkKind::Cited, "q1", ""));
        assert_eq!(line.pieces[2..], [Piece::faint("not in these words"), Piece::plain("parrot")]);
    }

    #[test]
    fn a_number_is_evidence_and_may_stand_in_several_texts() {
        let inputs = inputs();
        let mut evidence = Evidence::over(&inputs, ALL);
        let _ = evidence.cite("amount is \"49.00\"");
        assert_eq!(evidence.marks("note").len(), 1);
        // `$49.00` is another word than `49.00`.
        assert_eq!(evidence.marks("transcript").len(), 0);
        assert_eq!(evidence.point_at("the bill").as_deref(), Some("q1"));
        let mut spoken = Evidence::over(&inputs, Some(&["transcript"]));
        assert_eq!((spoken.point_at("the bill"), spoken.point_at("bills").as_deref()), (None, Some("q1")));
    }

    #[test]
    fn a_page_looks_up_only_so_much() {
        let case = json!({"id": "c", "model": "m", "inputs": {"text": "some word ".repeat(100_000)}});
        let inputs = Inputs::of(&serde_json::from_value(case).expect("a case"));
        let mut evidence = Evidence::over(&inputs, ALL);
        let reasons: Vec<String> = (0..100).map(|number| format!("it says “word{number} some”. ")).collect();
        let marks: Vec<Vec<Mark>> = reasons.iter().map(|reason| evidence.cite(reason)).collect();
        // A million bytes are taken for 200,000 words, so each quotation of two words takes 400,000 comparisons of 10,000,000.
        assert_eq!(marks.iter().flatten().count(), 25);
        assert!(marks[99].is_empty(), "what was not looked up is neither found nor missing");
    }
}
