//! What is the same and what is not, by table.

use super::*;

const LENIENT: Rules =
    Rules { tolerance_percent: 0.0, granularity: Granularity::Day, ignore_case: true, ignore_wording: true };

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn judged(given: &str, expected: &str, rules: &Rules) -> ValueMatch {
    let prepare = |written: &str| Prepared::of(&text(written), Reading::default());
    compare(&prepare(given), &prepare(expected), rules)
}

#[track_caller]
fn same(rules: &Rules, pairs: &[(&str, &str)]) {
    for (one, other) in pairs {
        assert!(judged(one, other, rules).equal, "{one} = {other}: {:?}", judged(one, other, rules).reason);
        assert!(judged(other, one, rules).equal, "{other} = {one}: {:?}", judged(other, one, rules).reason);
    }
}

#[track_caller]
fn different(rules: &Rules, pairs: &[(&str, &str)]) {
    for (one, other) in pairs {
        assert!(!judged(one, other, rules).equal, "{one} ≠ {other}: {:?}", judged(one, other, rules).reason);
        assert!(!judged(other, one, rules).equal, "{other} ≠ {one}: {:?}", judged(other, one, rules).reason);
    }
}

#[test]
fn numbers_however_written() {
    same(
        &Rules::STRICT,
        &[
            ("4500", "$4,500.00"),
            ("1,234.56", "1.234,56"),
            ("1 234,56", "1'234.56"),
            ("1,00,000", "100000"),
            ("1,00,000", "one lakh"),
            ("12,34,567.50", "1234567.5"),
            ("€2.500.000", "2,500,000 EUR"),
            ("1.1 million", "1,100,000"),
            ("£4.5k", "GBP 4500"),
            ("3bn", "3,000,000,000"),
            ("four thousand five hundred", "4,500"),
            ("one hundred and twenty-five thousand", "125k"),
            ("half a million", "500000"),
            ("a hundred dollars", "$100"),
            ("twenty five", "25"),
            ("5%", "5 percent"),
            ("5%", "5 per cent"),
            ("5%", "0.05"),
            ("5%", "5"),
            ("$500 USD", "500 dollars"),
            ("(1,250)", "-1250"),
            ("72.", "$72"),
            ("−3", "minus three"),
            ("3,5", "3.5"),
            ("£1,500 pcm", "1500 per month"),
            ("£1,500/month", "£1500 a month"),
            ("30 years", "30 yrs"),
            ("30-year", "30 years"),
            ("4-5k", "4,000 to 5,000"),
            ("between £4k and £5k", "£4000–£5000"),
            ("5 to 6 %", "5%-6%"),
            ("0821665364", "082-166-5364"),
            ("12345678901234567890", "12,345,678,901,234,567,890"),
        ],
    );
    different(
        &LENIENT,
        &[
            ("4500", "4600"),
            ("422", "122"),
            ("$500", "€500"),
            ("USD 500", "CAD 500"),
            ("30 years", "30 months"),
            ("1500 per month", "1500 per year"),
            ("5%", "$5"),
            ("4-5k", "4500"),
            ("4-5k", "4-6k"),
            ("thirteen", "thirty"),
            ("fifteen", "fifty"),
            ("12345678901234567", "12345678901234568"),
            ("-5", "5"),
            ("1.5 million", "1.5 billion"),
        ],
    );
    // A shared sign can be any of its currencies; a unit on one side only is wording.
    same(&LENIENT, &[("$500", "CAD 500"), ("30", "30 years"), ("about 4500", "4500")]);
    different(&Rules::STRICT, &[("30", "30 years"), ("about 4500", "4500")]);
}

#[test]
fn two_readings_are_kept_and_one_writer_has_one_convention() {
    same(&Rules::STRICT, &[("1,234", "1234"), ("1.234", "1234"), ("1,234", "1,234.00"), ("1,234", "1,234")]);
    assert_eq!(judged("1,234", "1234", &Rules::STRICT).reason, Reason::SameNumber { ambiguous: true });
    // A decimal mark that one of them shows is the mark of both.
    assert_eq!(judged("1,234", "1,234.00", &Rules::STRICT).reason, Reason::SameNumber { ambiguous: false });
    different(&LENIENT, &[("1,250 mg", "1.25 mg"), ("1,234", "1.2340"), ("1,234", "1.234,00")]);
    assert_eq!(judged("12,345.0", "12345", &Rules::STRICT).reason, Reason::SameNumber { ambiguous: false });
    different(&LENIENT, &[("1,234", "1.234"), ("1,234", "1235"), ("0,125", "125")]);
    same(
        &Rules::STRICT,
        &[
            ("03/04/2024", "2024-04-03"),
            ("03/04/2024", "March 4, 2024"),
            ("5/6/55", "5 June 1955"),
            ("5/6/55", "2055-05-06"),
        ],
    );
    different(&LENIENT, &[("03/04/2024", "04/03/2024"), ("5/6/55", "5 June 1855"), ("03/04/2024", "2024-05-03")]);
    // Two digits up to 40 are of this century, from 69 on of the last.
    same(&Rules::STRICT, &[("3/4/24", "3 April 2024"), ("3/4/84", "4 March 1984")]);
    different(&LENIENT, &[("3/4/24", "3 April 1924"), ("3/4/84", "3 April 2084")]);
}

#[test]
fn the_tolerance_is_of_the_expected_number_and_only_for_amounts() {
    let five = Rules { tolerance_percent: 5.0, ..LENIENT };
    assert!(judged("105", "100", &five).equal);
    assert!(judged("95", "100", &five).equal);
    assert!(!judged("105.01", "100", &five).equal);
    // 100 is 4.76 % below 105, and 105 is 5 % above 100.
    assert!(judged("100", "105", &five).equal);
    assert!(!judged("100", "105.3", &five).equal);
    assert!(!judged("0.01", "0", &five).equal);
    assert!(judged("0.3", "0.1 + 0.2", &five).reason == Reason::OtherDigits);
    let tenth = Rules { tolerance_percent: 0.1, ..LENIENT };
    assert!(judged("1001", "1000", &tenth).equal, "{:?}", judged("1001", "1000", &tenth));
    different(&five, &[("588-757-2298", "588-757-2299"), ("0821665364", "0821665365"), ("2024-03-01", "2024-03-02")]);
    let identifier = Reading { kind: FieldKind::Identifier, ..Reading::default() };
    let [one, other] = ["12345678", "12345679"].map(|written| Prepared::of(&Value::Number(written.into()), identifier));
    // A JSON number that names something is a name.
    assert!(!compare(&one, &other, &five).equal);
}

#[test]
fn dates_at_the_day_the_month_and_the_year() {
    let at = |granularity| Rules { granularity, ..Rules::STRICT };
    let (day, month, year) = (at(Granularity::Day), at(Granularity::Month), at(Granularity::Year));
    same(
        &day,
        &[
            ("2024-03-15", "15 March 2024"),
            ("15/03/2024", "March 15th, 2024"),
            ("15.03.24", "15 Mar 2024"),
            ("Friday, 15 March 2024", "2024/03/15"),
            ("2024-03-15T09:30:00Z", "15-Mar-24"),
            ("15. März 2024", "15 mars 2024"),
            ("Mar 2024", "March 2024"),
            ("03/2024", "2024-03"),
            ("the 5th of March", "March 5"),
        ],
    );
    different(
        &day,
        &[
            ("March 2024", "15 March 2024"),
            ("2024-03-15", "2024-03-16"),
            ("29 February 2023", "28 February 2023"),
            ("next Friday", "2024-03-15"),
        ],
    );
    same(&month, &[("March 2024", "15 March 2024"), ("2024-03-01", "2024-03-31")]);
    different(
        &month,
        &[("March 2024", "March 2023"), ("2024", "March 2024"), ("5 March", "9 March"), ("5 March", "5 March 2024")],
    );
    same(&year, &[("2024", "March 2024"), ("2024-01-01", "31 December 2024")]);
    different(&year, &[("2024", "March 2023")]);
    assert_eq!(
        judged("March 2024", "15 March 2024", &day).reason,
        Reason::LessPreciseDate { granularity: Granularity::Day }
    );
    // Relative dates are words.
    assert_eq!(judged("last March", "March 2024", &year).reason, Reason::OtherDigits);
    same(&LENIENT, &[("next friday", "Next Friday")]);
    let with = |date_order| {
        let prepare = |written: &str| Prepared::of(&text(written), Reading { date_order, ..Reading::default() });
        compare(&prepare("03/04/2024"), &prepare("2024-04-03"), &Rules::STRICT).equal
    };
    assert!(with(DateOrder::DayFirst) && !with(DateOrder::MonthFirst) && with(DateOrder::Either));
}

#[test]
fn wording_is_forgiven_and_digits_never() {
    same(
        &LENIENT,
        &[
            ("Smart Electic", "smart electric"),
            ("392 Main St. Forest Ranch Oregon 32519", "392 Main Street, Forest Ranch, Oregon, 32519"),
            ("795 first street, forest ranch, ca, 14052", "795 First Street, Forest Ranch, California, 14052"),
            ("795 1st Street", "795 First St"),
            ("The Fossil Gas Co.", "Fossil Gas Company"),
            ("Smith, John", "John Smith"),
            ("salt and pepper", "pepper and salt"),
            ("2 dogs, 3 cats", "3 cats, 2 dogs"),
            ("e-mail", "email"),
            ("Thurs.", "Thursday"),
            ("10:30am", "10:30 AM"),
            ("Johnson & Sons", "Johnson and Sons"),
            ("savings accounts", "savings account"),
            ("Reunion", "Reunoin"),
            ("+44 20 7946 0958", "020 7946 0958"),
            ("five eight eight seven five seven two two nine eight", "588-757-2298"),
        ],
    );
    different(
        &LENIENT,
        &[
            ("392 Main St. Forest Ranch Oregon 35219", "392 Main Street, Forest Ranch, Oregon, 32519"),
            ("1888 First Street, CA 94165", "188 First Street, CA 94165"),
            ("12 Main Street Flat 3", "3 Main Street Flat 12"),
            ("2 dogs 3 cats", "2 cats 3 dogs"),
            ("2 dogs, 3 cats", "2 cats, 3 dogs"),
            ("tea or coffee", "coffee and tea"),
            ("no fever, cough", "cough, no fever"),
            ("dog bites man", "man bites dog"),
            ("savings account", "account savings"),
            ("abduction", "adduction"),
            ("jon@x.com", "jon@x.co"),
            ("First Street", "Third Street"),
            ("Flat 1A", "Flat 1B"),
            ("Flat A", "Flat"),
            ("0188", "188"),
            ("10-12", "1012"),
            ("1234567.89", "123456789"),
            ("hepatitis A vaccine", "hepatitis vaccine"),
            ("secured loan", "unsecured loan"),
            ("employer", "employee"),
            ("Martin", "Martina"),
            ("Jones", "Janes"),
            ("debit", "credit"),
            ("not married", "married"),
            ("from savings to checking", "from checking to savings"),
            ("588-757-2298", "588-757-2289"),
            ("AB 12345", "AB 12354"),
            ("one pension", "two pensions"),
            ("2 million shares of stock", "2 billion shares of stock"),
        ],
    );
    assert_eq!(judged("35219 Oregon", "32519 Oregon", &LENIENT).reason, Reason::OtherDigits);
    different(&Rules::STRICT, &[("Main St.", "Main Street"), ("main street", "Main Street")]);
    assert_eq!(judged("main street", "Main Street", &Rules::STRICT).reason, Reason::OtherCase);
    assert_eq!(judged("Main St.", "Main Street", &Rules::STRICT).reason, Reason::OtherWording);
    let case_counts = Rules { ignore_case: false, ..LENIENT };
    same(&case_counts, &[("Smith, John", "John Smith"), ("Main St", "Main Street")]);
    different(&case_counts, &[("Smith, john", "John Smith")]);
    let case_only = Rules { ignore_wording: false, ..LENIENT };
    same(&case_only, &[("main street", "Main Street")]);
    different(&case_only, &[("main st", "Main Street")]);
}

#[test]
fn lists_truth_objects_and_nothing() {
    let prepare = |value: Value| Prepared::of(&value, Reading::default());
    let list = |items: &[&str]| prepare(Value::List(items.iter().map(|item| text(item)).collect()));
    assert!(compare(&list(&["house", "$500"]), &list(&["500", "House"]), &LENIENT).equal);
    assert!(!compare(&list(&["house", "house"]), &list(&["house", "car"]), &LENIENT).equal);
    let missing = compare(&list(&["house"]), &list(&["house", "car", "boat"]), &LENIENT);
    assert_eq!(missing.reason, Reason::OtherItems { differing: 2 });
    // 103 fits both, 98 only one: taking the first that fits would leave one out.
    let within = Rules { tolerance_percent: 5.0, ..LENIENT };
    assert!(compare(&list(&["103", "98"]), &list(&["100", "105"]), &within).equal);
    assert!(compare(&prepare(Value::Truth(true)), &prepare(text("Yes")), &Rules::STRICT).equal);
    assert_eq!(compare(&prepare(Value::Truth(true)), &prepare(text("no")), &LENIENT).reason, Reason::OtherTruth);
    let map = |amount: &str| prepare(Value::Map(vec![("amount".into(), text(amount)), ("note".into(), Value::Absent)]));
    assert!(compare(&map("$5"), &map("5.00"), &Rules::STRICT).equal);
    assert_eq!(compare(&map("$5"), &map("6"), &LENIENT).reason, Reason::OtherItems { differing: 1 });
    let nothing = || prepare(Value::Absent);
    assert!(compare(&nothing(), &prepare(text("  ")), &Rules::STRICT).equal);
    assert_eq!(compare(&nothing(), &list(&["a"]), &LENIENT).reason, Reason::Missing);
    assert_eq!(compare(&list(&["a"]), &nothing(), &LENIENT).reason, Reason::Unexpected);
    assert_eq!(compare(&list(&["a", "b"]), &map("5"), &LENIENT).reason, Reason::OtherKind);
}

#[test]
fn numbers_and_dates_can_be_left_unread() {
    let plain = Reading { numbers: false, dates: false, ..Reading::default() };
    let prepare = |written: &str| Prepared::of(&text(written), plain);
    let equal = |one, other| compare(&prepare(one), &prepare(other), &LENIENT).equal;
    assert!(
        !equal("4500", "$4,500.00") && !equal("15 March 2024", "2024-03-15") && !equal("0821665364", "082-166-5364")
    );
    assert!(equal("$4,500", "$4,500."));
}

/// The reason under the field's name.
fn in_field(field: &str, one: &str, other: &str, rules: &Rules) -> Reason {
    let reading = Reading { kind: FieldKind::of_name(field), ..Reading::default() };
    let read = |written: &str| Prepared::of(&text(written), reading);
    compare(&read(one), &read(other), rules).reason
}

#[test]
fn what_a_field_is_called_says_what_its_numbers_are() {
    let five = Rules { tolerance_percent: 5.0, ..LENIENT };
    let another_year = Reason::OtherDate { granularity: Granularity::Year };
    for field in ["year", "founded", "born", "model year", "since"] {
        assert_eq!(in_field(field, "1995", "1996", &five), another_year, "{field}");
    }
    assert!(matches!(in_field("salary", "1995", "1996", &five), Reason::NumberWithinTolerance { .. }));
    for field in ["room", "order id", "phone", "account number", "seat"] {
        assert_eq!(in_field(field, "20000", "20001", &five), Reason::OtherDigits, "{field}");
    }
    assert_eq!(in_field("phone bill", "100", "100.0", &five), Reason::SameNumber { ambiguous: false });
    assert_eq!(in_field("version", "1.10", "1.1", &five), Reason::OtherDigits);
    assert_eq!(in_field("ios version", "v2.0", "2.0", &five), Reason::SameDigits);
    // 5 % is 5 here and 0.05 there, never both.
    let percent = |field: &str, bare: &str| in_field(field, "5%", bare, &LENIENT);
    let same = |ambiguous| Reason::SameNumber { ambiguous };
    assert_eq!((percent("percentage", "5"), percent("share", "0.05")), (same(false), same(false)));
    assert!(!matches!(percent("percentage", "0.05"), Reason::SameNumber { .. }));
    assert!(!matches!(percent("share", "5"), Reason::SameNumber { .. }));
    assert_eq!((percent("rate", "5"), percent("rate", "0.05")), (same(true), same(true)));
}

#[test]
fn what_contradicts_says_so() {
    let reason = |one: &str, other: &str| judged(one, other, &LENIENT).reason;
    for (one, other) in [
        ("no chest pain", "chest pain"),
        ("chest pain on exertion", "denies chest pain"),
        ("HIV positive", "HIV negative"),
        ("unmarried", "married"),
        ("isn't allergic to nuts", "is allergic to nuts"),
    ] {
        assert_eq!(reason(one, other), Reason::OtherTruth, "{one} / {other}");
        assert_eq!(reason(other, one), Reason::OtherTruth, "{other} / {one}");
    }
    assert_eq!(reason("left knee pain", "right knee pain"), Reason::OtherSide);
    assert_eq!(reason("cataract L eye", "cataract R eye"), Reason::OtherSide);
    assert_eq!(reason("10 mg", "10 mcg"), Reason::OtherDose);
    assert_eq!(reason("100 mg", "900 mg"), Reason::OtherDose);
    assert_eq!(reason("10 mg", "10 ml"), Reason::OtherUnit);
    assert_eq!(reason("10 mg aspirin daily", "10 mcg aspirin daily"), Reason::OtherUnit);
    assert_eq!(reason("100 mg of aspirin", "900 mg of aspirin"), Reason::OtherDose);
    // About something else: other words, and nothing that denies anything.
    assert_eq!(reason("no car", "a house"), Reason::OtherWords);
}

#[test]
fn one_record_is_read_in_one_way() {
    let record = |fields: &[(&str, &str)]| {
        let field = |(name, value): &(&str, &str)| Field {
            name: (*name).to_owned(),
            value: Prepared::of(&text(value), Reading::default()),
        };
        Record::of(fields.iter().map(field).collect())
    };
    let equal = |one: &Record, other: &Record| {
        one.compared(other, &Rules::STRICT).filter(|(_, _, found)| found.is_some_and(|found| found.equal)).count()
    };
    let written = record(&[("from", "03/04/2024"), ("to", "05/06/2024")]);
    // The day first in both, the month first in both, and one of each.
    assert_eq!(equal(&written, &record(&[("from", "3 April 2024"), ("to", "5 June 2024")])), 2);
    assert_eq!(equal(&written, &record(&[("from", "March 4, 2024"), ("to", "May 6, 2024")])), 2);
    assert_eq!(equal(&written, &record(&[("from", "3 April 2024"), ("to", "May 6, 2024")])), 1);
    let amounts = record(&[("a", "1,234"), ("b", "2,345")]);
    assert_eq!(equal(&amounts, &record(&[("a", "1234"), ("b", "2345")])), 2);
    assert_eq!(equal(&amounts, &record(&[("a", "1234"), ("b", "2.345e0")])), 1);
    let mut found = written.compared(&written, &Rules::STRICT).filter_map(|(_, _, found)| found);
    assert!(found.all(|found| found.reason == Reason::Identical));
}

#[test]
fn what_values_show_of_their_writers() {
    let seen = |texts: &[&str]| {
        let mut evidence = Evidence::default();
        texts.iter().for_each(|written| evidence.see(&text(written)));
        (evidence.date_order(), evidence.decimal_mark(), evidence.clock())
    };
    assert_eq!(seen(&["03/04/2024", "1,234", "9:30"]), (None, None, None));
    let british = seen(&["25/03/2024", "12.5", "21:00"]);
    assert_eq!(british, (Some(DateOrder::DayFirst), Some(DecimalMark::Point), Some(Clock::Hours24)));
    let american = seen(&["3/25/2024", "1,234,567", "9 pm"]);
    assert_eq!(american, (Some(DateOrder::MonthFirst), Some(DecimalMark::Point), Some(Clock::Hours12)));
    assert_eq!(seen(&["1.234,50"]).1, Some(DecimalMark::Comma));
    // Both at once show nothing.
    assert_eq!(seen(&["25/03/2024", "3/25/2024", "1,5", "1.5"]), (None, None, None));
}

mod whatever_is_written {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_value_is_itself_and_nothing_panics(one in "\\PC{0,40}", other in "[0-9.,' $€%/a-z-]{0,24}") {
            let _ = judged(&one, &other, &LENIENT);
            prop_assert!(judged(&one, &one, &Rules::STRICT).equal);
            prop_assert!(judged(&other, &other, &LENIENT).equal);
        }

        #[test]
        fn one_wrong_digit_is_never_forgiven(written in "[A-Za-z ]{0,12}[0-9]{1,12}[A-Za-z ,.-]{0,6}[0-9]{0,5}", place in 0usize..30, step in 1u8..10) {
            let digits: Vec<usize> = written.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at).collect();
            let at = digits[place % digits.len()];
            let mut bytes = written.clone().into_bytes();
            bytes[at] = b'0' + (bytes[at] - b'0' + step) % 10;
            let wrong = String::from_utf8(bytes).unwrap();
            let comparison = judged(&wrong, &written, &LENIENT);
            prop_assert!(!comparison.equal, "{wrong} = {written}: {:?}", comparison.reason);
        }

        #[test]
        fn a_digit_too_many_is_never_forgiven(
            words in "[A-Za-z]{0,8} ?", number in "[1-9][0-9]{0,11}", place in 0usize..12, digit in 0u8..10, punctuated in any::<bool>(),
        ) {
            let place = place % (number.len() + 1);
            let longer = format!("{}{digit}{}", &number[..place], &number[place..]);
            prop_assume!(longer != number);
            let tail = if punctuated { ", St." } else { "" };
            let comparison = judged(&format!("{words}{longer}{tail}"), &format!("{words}{number}"), &LENIENT);
            prop_assert!(!comparison.equal, "{words}{longer} = {words}{number}: {:?}", comparison.reason);
        }

        #[test]
        fn swapped_digits_are_never_forgiven(prefix in "[A-Za-z]{0,6} ?", number in "[0-9]{2,11}", place in 0usize..10) {
            let place = place % (number.len() - 1);
            let mut bytes = number.clone().into_bytes();
            prop_assume!(bytes[place] != bytes[place + 1]);
            bytes.swap(place, place + 1);
            let swapped = String::from_utf8(bytes).unwrap();
            let comparison = judged(&format!("{prefix}{swapped}"), &format!("{prefix}{number}"), &LENIENT);
            prop_assert!(!comparison.equal, "{prefix}{swapped} = {prefix}{number}: {:?}", comparison.reason);
        }
    }
}
