//! Statements right, wrong, and better left alone.

use proptest::prelude::*;

use super::check;

/// Each equation as "text" with ✓ or ✗.
fn seen(text: &str) -> Vec<String> {
    check(text)
        .iter()
        .map(|equation| {
            assert_eq!(text[equation.span.clone()], equation.text);
            let mark = if equation.holds { "✓" } else { "✗" };
            format!("{mark} {}", equation.text)
        })
        .collect()
}

#[test]
fn right_statements() {
    for text in [
        "3 + 4 = 7",
        "0.1 + 0.2 = 0.3",
        "2 + 3 * 4 = 14",
        "(2 + 3) * 4 = 20",
        "3 x 4 = 12",
        "3x4 = 12",
        "3 × 4 = 12",
        "3 · 4 = 12",
        "12 ÷ 4 = 3",
        "5 − 7 = -2",
        "3 - -7 = 10",
        "3 - - 7 = 10",
        "-(2 + 3) = -5",
        "2^10 = 1024",
        "2**3 = 8",
        "2^3^2 = 512",
        "5² + 12² = 169",
        "1,000 + 234 = 1,234",
        "10/3 = 3.33",
        "2/3 = 0.66",
        "2/3 = 0.67",
        "-2/3 = -0.66",
        "1/3 = 0.333...",
        "10/3 ≈ 3",
        "1234 * 5 ~= 6,200",
        "20% of 50 = 10",
        "1/2 of 50 = 25",
        "15% = 0.15",
        "0.15 = 15%",
        "3/20 * 100 = 15%",
        "50% + 20% = 70%",
        "100% - 30% = 70%",
        "$12 * 3 = $36",
        "$1.50 + $2.25 = $3.75",
        "-$5 + $2 = -$3",
        "5 apples * $2 = $10",
        "3 apples * 4 = 12 apples",
        "3 boxes + 1 box = 4 boxes",
        "60 km/h * 2 = 120",
        "$3 + 4 = 7$",
        "\\(3 \\times 4 = 12\\)",
        "\\frac{1}{2} + \\frac{1}{4} = 0.75",
        "\\left(3 + 4\\right) \\cdot 2 = 14",
        "3 \\text{ apples} \\times 4 = 12 \\text{ apples}",
        "3 + 4 = \\boxed{7}",
        "3 + 4 = **7**",
        "**3 + 4 = 7**",
        "2(3 + 4) = 14",
        "(3)(4) = 12",
        "[(1 + 2) * 3] = 9",
        "7 = 3 + 4",
        "14.29 * 7 = 100",
        "3e2 + 1 = 301",
        "- 3 + 4 = 1",
        "- 3 + 4 = 7",
        "1. 3 + 4 = 7",
        "1) 3 + 4 = 7",
        "(a) 3 + 4 = 7",
        "Betty needs 100 - 50 - 45 = $5 more.",
        "The sum of 3 + 4 = 7",
        "180° - 90° = 90°",
    ] {
        let found = seen(text);
        assert!(found.len() == 1 && found[0].starts_with('✓'), "{text}: {found:?}");
    }
}

#[test]
fn wrong_statements() {
    let mut missed = Vec::new();
    for text in [
        "3 + 4 = 8",
        "So 3 + 4 = 8.",
        "0.1 + 0.2 = 0.4",
        "10 / 3 = 3",
        "10 / 3 = 3.34",
        "2/3 = 0.68",
        "1234 * 5 ≈ 5,000",
        "20% of 50 = 1000",
        "15% = 0.015",
        "$12 * 3 = $37",
        "5 apples * $2 = $11",
        "3 apples * 4 = 13 apples",
        "2^3 = 6",
        "3 - -7 = -4",
        "\\frac{1}{2} + \\frac{1}{4} = 0.6",
        "- 3 + 4 = 8",
        "1.25 * 100 = 126",
        "12.34 + 1.11 = 13.46",
        "7 = 3 + 5",
        "3 + 4 = 2 + 6",
        "(3 + 4 = 8)",
        "(2) 3 + 4 = 8",
        "(3) + 4 = 8",
        "It is 12 - 5 = $8 more",
        "we get 3 + 4 = 8, which is right",
        "Day 1: 5 + 3 = 9",
        "That makes 5 * 7 = 36 miles per week.",
        "3 + 4 = 8 hours",
        "5 m + 3 m = 9 m",
        "194 / 11 = 17",
        "She runs for 26 * 3 / 5 = 15 minutes.",
        "The farmer needs 4639 / 2250 = 4 trips.",
        "about 31 * 9 = 180",
        "- 20 + 30 = 51",
        "3 + 4 = 8 and then we stop",
    ] {
        let found = seen(text);
        if found.len() != 1 || !found[0].starts_with('✗') {
            missed.push(format!("{text}: {found:?}"));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn left_alone() {
    let mut accused = Vec::new();
    for text in [
        "x = 5",
        "2x = 10",
        "2x + 3 = 13",
        "3x + 4 = 7",
        "x + 3 = 4",
        "3 + x = 4",
        "4 = 3 + x",
        "2m + 3 = 13",
        "2m = 10",
        "a = 1, b = 2",
        "1 = yes, 2 = no",
        "level 2 = 5 points",
        "2 = 5",
        "x == 3",
        "3 == 4",
        "3 <= 4",
        "3 >= 4",
        "3 != 4",
        "3 => 4",
        "2 hours = 120 minutes",
        "2 hours = 120",
        "1 hour + 5 minutes = 65 minutes",
        "2 hours * 60 = 120 minutes",
        "1 km + 1 = 1001 m",
        "5! = 120",
        "3! + 1 = 7",
        "2 + 5! = 122",
        "17 / 5 = 3 remainder 2",
        "17 / 5 = 3 R 2",
        "17 % 5 = 2",
        "17 mod 5 = 2",
        "sqrt(16) + 1 = 5",
        "\\sqrt{16} + 1 = 5",
        "sin(30) = 0.5",
        "f(3) = 9",
        "log 100 + 3 = 5",
        "the square root of 16 + 9 = 5",
        "half of 3 + 5 = 4",
        "three plus 4 + 1 = 8",
        "3 + 4 = 7 million",
        "3 million + 4 = 7",
        "-2^2 = 4",
        "1 / 0 = 5",
        "0^-1 = 0",
        "9^9^9^9 = 1",
        "3,5 + 1 = 5",
        "1.234,56 + 1 = 5",
        "4 1/2 + 1 = 6",
        "10:30 + 2 = 12:30",
        "3:2 = 1.5",
        "5 m^2 + 3 m^2 = 8 m^2",
        "5 cm² + 3 cm² = 8 cm²",
        "0x10 = 16",
        "0x10 + 1 = 17",
        "101_2 = 5",
        "101 base 2 + 1 = 6",
        "if 3 + 4 = 8 then",
        "Suppose 3 + 4 = 8.",
        "3 + 4 = 8 is wrong",
        "Is 3 + 4 = 8?",
        "it is not 3 + 4 = 8",
        "step 2 - 3 + 4 = 7",
        "income - 5 + 3 = 20",
        "50 + 20% = 60",
        "5 (3 + 4) = 36",
        "35 = 5 (3 + 4)",
        "3 + 4 =",
        "= 7",
        "3 + 4 = ?",
        "3-5 days, from 10:30",
        "width=100 height=50",
        "<img width=3 + 4>",
        "194 ÷ 11 = 17 with a remainder of 9",
        "194 / 11 = 17, remainder 9",
        "194 ÷ 11 = 17, with 7 left over",
        "The quotient is 194 / 11 = 17.",
        "65 + 2xy = 105",
        "65 + 2 xy = 105",
        "105 = 65 + 2xy",
        "2/3 = 0.\\overline{6}",
        "8u_4 = 3 + 4",
        "3 + 4 = 8u_4",
        "f''(2) = 6·2 − 6",
        "f'(2) = 6 * 2",
        "!5 = 120 - 76",
        "The sum of 40 numbers = 3800 - 3200",
        "Her age in 8 years = 34 + 8",
        "40 numbers = 3800 - 3200",
        "3 + 4i = 8",
        "8 = 3 + 4i",
        "3 ⊕ 4 = 3 * 4 + 1",
        "The operation is defined by a * b = a + 2b. Then 3 * 4 = 11.",
        "In base 7, 5 + 4 = 12.",
        "9 + 5 = 2 (mod 12)",
        "9 + 5 = 2 \\pmod{12}",
        "1 hour + 30 = 90",
        "90 + 45 = 2 hours and 15 minutes",
        "90 + 45 = 2 hours 15 minutes",
        "questions 1-3 = 5 points",
        "10 : 2 = 5 * 1",
        "6/2(3) = 1",
        "1/2 = 0.5 = 50",
        "It is about 31 * 9 = 280.",
        "31 * 9 = 280, rounded.",
        "20 + 30 +\n5 * 2 = 60",
        "20 + 30\n+ 5 * 2 = 60",
        "5 * 2 = 60\n+ 50",
        "3 + 4 = 8. Wait, that is 7.",
        "```\ntotal = 3 + 4 = 8\n```",
        "9am + 3 = 12pm",
        "φ(9) = 3 * 2 + 1",
        "phi (9) = 5",
        "2,5 + 1,5 = 4. Then 1.500 * 2 = 3000.",
        "So the farmer needs 4639 / 2250 = 2 trips.",
        "The multiples of 7 up to 100: 100 / 7 = 14 of them.",
        "boxes 60 / boxes 150 * 100% = 40%",
        "rate times 3 + 4 = 8",
        "Try 7: 7 + 3 = 12, so it would be too small.",
    ] {
        let found = seen(text);
        if found.iter().any(|equation| equation.starts_with('✗')) {
            accused.push(format!("{text}: {found:?}"));
        }
    }
    assert!(accused.is_empty(), "{accused:#?}");
}

#[test]
fn written_as_json() {
    let equation = serde_json::to_value(&check("1/2 + 1/8 = 0.7")[0]).unwrap();
    assert_eq!(equation["left"], "0.625");
    assert_eq!(equation["right"], "0.7");
    assert_eq!(equation["holds"], false);
}

#[test]
fn chains() {
    assert_eq!(
        seen("Let's calculate A = (-9 - 5 - 0) = (-9 - 5) = -14."),
        ["✓ (-9 - 5 - 0) = (-9 - 5)", "✓ (-9 - 5) = -14"]
    );
    assert_eq!(
        seen("A - B - C = -14 - 2 - (-1260) = -14 + 1258 = 1244. So the answer is 1244"),
        ["✓ -14 - 2 - (-1260) = -14 + 1258", "✓ -14 + 1258 = 1244"]
    );
    assert_eq!(seen("so 3 + 4 = 7 and 7 * 2 = 15"), ["✓ 3 + 4 = 7", "✗ 7 * 2 = 15"]);
    assert_eq!(seen("x = 3 + 4 = 7 = 8"), ["✓ 3 + 4 = 7", "✗ 7 = 8"]);
    assert_eq!(seen("3 + 4 = 7 (since 2 + 5 = 7)."), ["✓ 3 + 4 = 7", "✓ 2 + 5 = 7"]);
    assert_eq!(seen("3+4=7\n7*2=14\r\n1+1=3"), ["✓ 3+4=7", "✓ 7*2=14", "✗ 1+1=3"]);
}

#[test]
fn a_sum_carried_on_is_no_mistake() {
    assert_eq!(seen("5 + 3 = 8 * 2 = 16"), ["✓ 8 * 2 = 16"]);
    assert_eq!(seen("5 + 3 = 8 * 2 = 17"), ["✗ 8 * 2 = 17"]);
    assert_eq!(seen("5 + 3 = 9 * 2 = 18"), ["✗ 5 + 3 = 9 * 2", "✓ 9 * 2 = 18"]);
    assert_eq!(seen("5 + 3 = 8 * 2"), ["✗ 5 + 3 = 8 * 2"]);
}

#[test]
fn calculator_marks_of_a_school_book_set() {
    assert_eq!(
        seen("She sold 48/2 = <<48/2=24>>24 clips, 48+24 = <<48+24=73>>72 in all."),
        ["✓ 48/2=24", "✗ 48+24=73"]
    );
}

#[test]
fn hostile_text_is_bounded() {
    for text in [
        "(".repeat(100_000),
        format!("{}1{} = 1", "(".repeat(50_000), ")".repeat(50_000)),
        format!("{}1 = 1", "-".repeat(100_000)),
        "1=".repeat(50_000),
        "9^".repeat(50_000) + "9 = 9",
        "\\frac{".repeat(20_000) + "= 1",
        "1+".repeat(50_000) + "1 = 1",
        "=".repeat(100_000),
        "((((1+1)=2".repeat(10_000),
        "é=≈\\".repeat(10_000),
    ] {
        let found = check(&text);
        assert!(found.iter().all(|equation| equation.holds));
    }
}

proptest! {
    #[test]
    fn no_text_breaks_it(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn nor_does_any_formula(text in "[0-9+*/^().,=%$x≈ \\\\{}a-]{0,60}") {
        for equation in check(&text) {
            prop_assert_eq!(&text[equation.span.clone()], &equation.text);
        }
    }

    #[test]
    fn whole_sums_and_products(a in -1000i128..1000, b in -1000i128..1000, off in -3i128..4) {
        for (sign, value) in [("+", a + b), ("-", a - b), ("*", a * b)] {
            let text = format!("The result is ({a}) {sign} {b} = {}.", value + off);
            let found = check(&text);
            prop_assert_eq!(found.len(), 1);
            prop_assert_eq!(found[0].holds, off == 0);
        }
    }
}
