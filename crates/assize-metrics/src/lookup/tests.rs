//! What is found and what is not, and that looking fast finds what looking plainly finds.

use super::*;
use proptest::prelude::*;

fn call() -> Searchable {
    Searchable::new(
        "Agent: Good morning, how can I help you today? Customer: I was charged twice, my refunds of $49.00 never came. मेरा पेमेंट फेल हो गया।",
    )
}

#[test]
fn terms_are_found_in_their_inflections_and_not_in_other_words() {
    let call = call();
    for term in ["refund", "charge", "good_morning", "HELP", "पेमेंट"] {
        assert!(call.contains(term), "{term}");
    }
    for term in ["insurance", "morning good", "refund policy", "plan", "", "_"] {
        assert!(!call.contains(term), "{term}");
    }
    // agent good morning how can i help you today customer i was charged twice my refunds …
    assert_eq!([call.place_of("refund"), call.place_of("good_morning")], [Some(15..16), Some(1..3)]);
    assert!(Searchable::new("Meine Rechnungen").contains("Rechnung"));
    assert!(Searchable::new("返金をお願いします").contains("返金"));
}

#[test]
fn a_term_is_heard_in_another_script() {
    let call = call();
    assert_eq!(call.heard("payment").map(|heard| heard.words).as_deref(), Some("पेमेंट"));
    assert_eq!(call.heard("refund"), None);
    assert_eq!(
        Searchable::new("please do the KYC").heard("केवाईसी").map(|heard| (heard.words, heard.exact)),
        Some(("kyc".to_owned(), true))
    );
}

#[test]
fn quotations_may_be_slightly_wrong() {
    let call = call();
    assert_eq!(call.quoted("Good morning, how can I help?").map(|found| found.agreement), Some(1.0));
    assert!(call.quoted("good morning how may I help you").is_some());
    assert!(call.quoted("I will transfer you to my supervisor").is_none());
    assert!(call.quoted("").is_none() && Searchable::new("").quoted("hello").is_none());
    // agent good morning how can i help you today customer i was charged twice …
    let place = |quotation: &str| call.quoted(quotation).map(|found| (found.start, found.end));
    assert_eq!(place("how can I help you"), Some((3, 8)));
    assert_eq!(place("good morning how may I help you"), Some((1, 8)));
    assert_eq!(place("you today customer I have been was charged twice my"), Some((7, 15)));
}

#[test]
fn numbers_are_compared_by_value() {
    let call = call();
    assert!(call.has_numbers_of("a refund of 49 dollars") && !call.has_numbers_of("99 dollars"));
    assert!(call.has_numbers_of("no number"));
}

#[test]
fn shares_of_content_words() {
    assert_eq!(call().share_of("the customer was charged twice"), Some(1.0));
    assert_eq!(call().share_of("supervisor escalation"), Some(0.0));
    assert_eq!(call().share_of("of the"), None);
}

/// The whole table of Sellers' alignment, for every end in the text.
fn quoted_by_table(text: &str, quotation: &str) -> Option<Quoted> {
    let (text, quotation) = (spaced(text), spaced(quotation));
    let (text, quotation) = (words(&text), words(&quotation));
    let exact = text.windows(quotation.len()).position(|window| window == quotation);
    if let Some(start) = exact {
        return Some(Quoted { agreement: 1.0, start, end: start + quotation.len() });
    }
    let mut best: Option<Quoted> = None;
    // Errors, and where the alignment begins.
    let mut column: Vec<(usize, usize)> = (0..=quotation.len()).map(|row| (row, 0)).collect();
    for (at, word) in text.iter().enumerate() {
        let before = std::mem::replace(&mut column, vec![(0, at + 1)]);
        for row in 1..=quotation.len() {
            let further = |(errors, start): (usize, usize), more: usize| (errors + more, start);
            let replaced =
                further(if row == 1 { (0, at) } else { before[row - 1] }, usize::from(*word != quotation[row - 1]));
            let choices = [replaced, further(before[row], 1), further(column[row - 1], 1)];
            // The first of the least.
            column.extend(choices.into_iter().min_by_key(|(errors, _)| *errors));
        }
        let (errors, start) = column[quotation.len()];
        let agreement = 1.0 - errors as f64 / quotation.len() as f64;
        if agreement >= QUOTE_AGREES && best.is_none_or(|best| agreement > best.agreement) {
            best = Some(Quoted { agreement, start, end: at + 1 });
        }
    }
    best
}

fn place_by_windows(text: &str, term: &str) -> Option<Range<usize>> {
    let (text, term) = (spaced(text), spaced(term));
    let (text, term) = (words(&text), words(&term));
    let here =
        |window: &[&str]| window.iter().zip(&term).all(|(found, wanted)| same_word(found, wanted, &stem(wanted)));
    let at = (!term.is_empty()).then(|| text.windows(term.len()).position(here))?;
    at.map(|at| at..at + term.len())
}

fn share_by_words(text: &str, phrase: &str) -> Option<f64> {
    let (text, phrase) = (spaced(text), spaced(phrase));
    let (text, content) = (words(&text), words(&phrase));
    let content: Vec<&str> = content.into_iter().filter(|word| !is_function_word(word)).collect();
    let found = content.iter().filter(|word| {
        text.iter().any(|other| stem(other) == stem(word) || (!word.is_ascii() && same_word(other, word, &stem(word))))
    });
    (!content.is_empty()).then(|| found.count() as f64 / content.len() as f64)
}

fn some_words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "refund",
        "refunds",
        "refunded",
        "the",
        "of",
        "plan",
        "planning",
        "charged",
        "charge",
        "रिफंड",
        "पेमेंट",
        "पेमेंटों",
        "12",
        "Rechnung",
        "Rechnungen",
        "über",
    ]);
    prop::collection::vec(word, 0..16).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn a_quotation_is_found_where_the_whole_table_finds_it(text in "[a-d ]{0,60}", quotation in "[a-e ]{1,30}") {
        prop_assume!(!quotation.trim().is_empty());
        prop_assert_eq!(Searchable::new(&text).quoted(&quotation), quoted_by_table(&text, &quotation));
    }

    #[test]
    fn comparing_each_word_once_finds_the_same(text in some_words(), term in some_words()) {
        let short: String = term.split(' ').take(2).collect::<Vec<_>>().join(" ");
        prop_assert_eq!(Searchable::new(&text).place_of(&short), place_by_windows(&text, &short));
        prop_assert_eq!(Searchable::new(&text).share_of(&term), share_by_words(&text, &term));
    }
}
