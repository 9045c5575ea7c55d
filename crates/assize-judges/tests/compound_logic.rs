//! How well the compound-logic rule tells split conditions from independent failure modes.
//!
//! `cargo test -p assize-judges --test compound_logic -- --nocapture` prints the figures.

use assize_core::document::{Problems, parse};
use assize_judges::systems::behaviour::lint::compound::split_conditions;

struct Figures {
    precision: f64,
    recall: f64,
}

fn measure(name: &str, text: &str) -> Figures {
    let mut problems = Problems::of(name);
    let document = parse(text, &mut problems).expect("a readable set").to_value();
    let (mut found, mut missed, mut false_alarms, mut quiet) = (0, 0, 0, 0);
    for list in document.as_array().expect("a list") {
        let bullets: Vec<&str> =
            list["bullets"].as_array().expect("bullets").iter().filter_map(|b| b.as_str()).collect();
        let flagged = !split_conditions(&bullets).is_empty();
        match (list["split"].as_bool().expect("a label"), flagged) {
            (true, true) => found += 1,
            (false, false) => quiet += 1,
            (true, false) => {
                missed += 1;
                println!("{name}: missed      {} {bullets:?}", list["id"]);
            }
            (false, true) => {
                false_alarms += 1;
                println!("{name}: false alarm {} {bullets:?}", list["id"]);
            }
        }
    }
    let precision = f64::from(found) / f64::from(found + false_alarms);
    let recall = f64::from(found) / f64::from(found + missed);
    println!(
        "{name}: {} lists, precision {precision:.3}, recall {recall:.3} (found {found}, missed {missed}, false alarms {false_alarms}, quiet {quiet})",
        found + missed + false_alarms + quiet
    );
    Figures { precision, recall }
}

#[test]
fn the_half_it_was_developed_on() {
    let figures = measure("dev", include_str!("data/compound_lists_dev.yaml"));
    assert!(figures.precision >= 0.9 && figures.recall >= 0.9);
}

#[test]
fn the_second_set_which_it_was_revised_on() {
    let figures = measure("second", include_str!("data/compound_lists_second.yaml"));
    assert!(figures.precision >= 0.9 && figures.recall >= 0.9);
}

#[test]
fn the_third_set_which_it_was_revised_on_again() {
    let figures = measure("third", include_str!("data/compound_lists_third.yaml"));
    assert!(figures.precision >= 0.9 && figures.recall >= 0.9);
}

#[test]
fn the_fourth_set_which_it_was_revised_on_last() {
    let figures = measure("fourth", include_str!("data/compound_lists_fourth.yaml"));
    assert!(figures.precision >= 0.9 && figures.recall >= 0.9);
}

#[test]
fn the_set_that_was_held_out() {
    let figures = measure("held out", include_str!("data/compound_lists_held_out.yaml"));
    assert!(figures.precision >= 0.9 && figures.recall >= 0.9);
}
