//! The expression that makes a score on a benchmark's own scale one from 0 to 1.
//!
//! Numbers, `x` or `score`, `min`, `max`, `+ - * /`, parentheses; `linear` and `inverted` are names for two of them. It is
//! evaluated exactly as written. Nothing is clamped: an expression that leaves 0..1 on its scale is refused.

use assize_core::document::{Node, Problems, Span};
use assize_core::judgment::tidy;

/// How far beyond 0..1 a result may be by rounding alone.
const ROUNDING: f64 = 1e-9;
/// The even steps on a scale at which an expression is tried, beside its ends and whole numbers.
const STEPS: u32 = 1000;
/// The longest expression; deeper nesting than it can hold is not worth a reader's time either.
const LONGEST: usize = 200;

/// An expression in the score and the ends of its scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    written: String,
    expression: Expression,
}

#[derive(Clone, Debug, PartialEq)]
enum Expression {
    Number(f64),
    Score,
    Min,
    Max,
    Negated(Box<Expression>),
    Binary(Box<Expression>, Operator, Box<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Plus,
    Minus,
    Times,
    Over,
}

impl Formula {
    /// `(x - min) / (max - min)`, for a scale that does not say.
    pub fn linear() -> Self {
        Self::parse("(x - min) / (max - min)").expect("a constant expression")
    }

    /// Reads an expression; what is wrong with it is said in a sentence, with the place in it as characters from 0.
    pub fn parse(written: &str) -> Result<Self, (String, usize)> {
        let named = match written.trim().to_lowercase().as_str() {
            "linear" => Some("(x - min) / (max - min)"),
            "inverted" => Some("(max - x) / (max - min)"),
            "none" | "identity" => Some("x"),
            _ => None,
        };
        let text = named.unwrap_or(written);
        if text.len() > LONGEST {
            return Err((format!("the expression is longer than {LONGEST} characters"), 0));
        }
        let mut reader = Reader { characters: text.chars().collect(), at: 0 };
        let expression = reader.sum()?;
        match reader.peek() {
            None => Ok(Self { written: written.trim().to_owned(), expression }),
            Some(found) => Err((format!("expected `+`, `-`, `*`, `/` or the end, found `{found}`"), reader.at)),
        }
    }

    pub(super) fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let number = node.to_value().as_number().map(ToString::to_string);
        let written = match &number {
            Some(number) => number,
            None => node.filled_text("normalization_formula", problems)?,
        };
        match Self::parse(written) {
            Ok(formula) => Some(formula),
            Err((message, at)) => {
                let column = node.span.column.saturating_add(u32::try_from(at).unwrap_or(0));
                let help = "use numbers, `x`, `min`, `max`, `+ - * /` and parentheses, or `linear` or `inverted`";
                let message = format!("`normalization_formula`: {message} in `{written}`");
                problems.report_with_help(Span { column, length: 1, ..node.span }, message, help);
                None
            }
        }
    }

    /// As written.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// What a score comes to, as written: not clamped, and not a number where it divides by zero.
    pub fn value(&self, score: f64, min: f64, max: f64) -> f64 {
        self.expression.value(score, min, max)
    }

    /// A score on the scale that does not come out from 0 to 1, and what it comes to.
    pub(super) fn counterexample(&self, min: f64, max: f64, levels: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
        let whole = (0..STEPS).map(|step| min.ceil() + f64::from(step)).take_while(|score| *score <= max);
        let even = (0..=STEPS).map(|step| min + (max - min) * f64::from(step) / f64::from(STEPS));
        let levels = levels.filter(|level| (min..=max).contains(level));
        let scores = [min, max].into_iter().chain(levels).chain(whole).chain(even);
        scores.map(|score| (score, self.value(score, min, max))).find(|(_, value)| in_range(*value).is_none())
    }
}

/// A result as a score from 0 to 1; `None` where it is beyond them by more than rounding.
pub(super) fn in_range(value: f64) -> Option<f64> {
    (-ROUNDING..=1.0 + ROUNDING).contains(&value).then(|| tidy(value.clamp(0.0, 1.0)))
}

impl Expression {
    fn value(&self, score: f64, min: f64, max: f64) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Score => score,
            Self::Min => min,
            Self::Max => max,
            Self::Negated(inner) => -inner.value(score, min, max),
            Self::Binary(left, operator, right) => {
                let (left, right) = (left.value(score, min, max), right.value(score, min, max));
                match operator {
                    Operator::Plus => left + right,
                    Operator::Minus => left - right,
                    Operator::Times => left * right,
                    Operator::Over => left / right,
                }
            }
        }
    }
}

struct Reader {
    characters: Vec<char>,
    at: usize,
}

impl Reader {
    /// The next character that is not white space.
    fn peek(&mut self) -> Option<char> {
        while self.characters.get(self.at).is_some_and(|character| character.is_whitespace()) {
            self.at += 1;
        }
        self.characters.get(self.at).copied()
    }

    fn operator(&mut self, choices: [(char, Operator); 2]) -> Option<Operator> {
        let next = self.peek()?;
        let (_, operator) = choices.into_iter().find(|(sign, _)| *sign == next)?;
        self.at += 1;
        Some(operator)
    }

    fn sum(&mut self) -> Result<Expression, (String, usize)> {
        let mut left = self.product()?;
        while let Some(operator) = self.operator([('+', Operator::Plus), ('-', Operator::Minus)]) {
            left = Expression::Binary(Box::new(left), operator, Box::new(self.product()?));
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Expression, (String, usize)> {
        let mut left = self.factor()?;
        while let Some(operator) = self.operator([('*', Operator::Times), ('/', Operator::Over)]) {
            left = Expression::Binary(Box::new(left), operator, Box::new(self.factor()?));
        }
        Ok(left)
    }

    fn factor(&mut self) -> Result<Expression, (String, usize)> {
        match self.peek() {
            Some('-') => {
                self.at += 1;
                Ok(Expression::Negated(Box::new(self.factor()?)))
            }
            Some('(') => {
                self.at += 1;
                let inner = self.sum()?;
                if self.peek() != Some(')') {
                    return Err(("expected `)`".to_owned(), self.at));
                }
                self.at += 1;
                Ok(inner)
            }
            Some(first) if first.is_ascii_digit() || first == '.' => {
                let start = self.at;
                let number = self.word(|character| character.is_ascii_digit() || character == '.');
                number.parse().map(Expression::Number).map_err(|_| (format!("`{number}` is not a number"), start))
            }
            Some(first) if first.is_alphabetic() => {
                let start = self.at;
                let name = self.word(|character| character.is_alphanumeric() || character == '_');
                match name.to_lowercase().as_str() {
                    "x" | "score" | "raw_score" | "raw" | "value" => Ok(Expression::Score),
                    "min" | "min_value" => Ok(Expression::Min),
                    "max" | "max_value" => Ok(Expression::Max),
                    _ => Err((format!("there is no `{name}`"), start)),
                }
            }
            Some(found) => Err((format!("expected a number, `x`, `min`, `max` or `(`, found `{found}`"), self.at)),
            None => Err(("the expression ends too early".to_owned(), self.at)),
        }
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let word: String = self.characters[self.at..].iter().take_while(|character| belongs(**character)).collect();
        self.at += word.chars().count();
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn scores_come_out_as_worked_by_hand() {
        let worked = [
            ("score/max", (1.0, 5.0), 3.0, 0.6),
            ("1-score/max", (1.0, 5.0), 3.0, 0.4),
            ("linear", (1.0, 5.0), 3.0, 0.5),
            ("(x-min)/(max-min)", (1.0, 5.0), 4.0, 0.75),
            ("inverted", (0.0, 10.0), 4.0, 0.6),
            ("x/100", (0.0, 100.0), 37.0, 0.37),
            ("x", (0.0, 1.0), 0.9, 0.9),
            ("x", (0.0, 10.0), 4.0, 4.0),
            ("1 - 2 - x", (0.0, 1.0), 0.5, -1.5),
            ("8 / 4 / 2 * x", (0.0, 1.0), 0.5, 0.5),
            ("2 + 3 * x", (0.0, 1.0), 1.0, 5.0),
            ("-x + 1", (0.0, 1.0), 0.25, 0.75),
            ("(max_value - raw_score) / (max_value - min_value)", (-2.0, 2.0), 1.0, 0.25),
            (" ( ( X ) ) * .5", (0.0, 1.0), 1.0, 0.5),
        ];
        for (written, (min, max), score, expected) in worked {
            let value = Formula::parse(written).expect(written).value(score, min, max);
            assert!(
                (value - expected).abs() < 1e-12,
                "{written} of {score} on {min}–{max}: {value}, expected {expected}"
            );
        }
    }

    #[test]
    fn what_cannot_be_read_says_where() {
        for (written, message, at) in [
            ("", "the expression ends too early", 0),
            ("x +", "the expression ends too early", 3),
            ("(x - min", "expected `)`", 8),
            ("x ** 2", "expected a number, `x`, `min`, `max` or `(`, found `*`", 3),
            ("2x", "expected `+`, `-`, `*`, `/` or the end, found `x`", 1),
            ("x / maximum", "there is no `maximum`", 4),
            ("1.2.3 * x", "`1.2.3` is not a number", 0),
            ("sqrt(x)", "there is no `sqrt`", 0),
        ] {
            assert_eq!(Formula::parse(written), Err((message.to_owned(), at)), "{written}");
        }
        assert!(Formula::parse(&"(".repeat(5000)).is_err());
    }

    #[test]
    fn an_expression_that_leaves_the_range_has_a_score_that_shows_it() {
        let shown = |written: &str, min: f64, max: f64| {
            Formula::parse(written).expect(written).counterexample(min, max, std::iter::empty())
        };
        assert_eq!(shown("x", 0.0, 10.0), Some((10.0, 10.0)));
        assert_eq!(shown("x/max", -5.0, 5.0), Some((-5.0, -1.0)));
        assert_eq!(shown("x*(5-x)/4", 0.0, 5.0), Some((2.0, 1.5)));
        assert_eq!(shown("x/10", 0.0, 10.0), None);
        assert_eq!(shown("score/max", 1.0, 5.0), None);
        let (score, value) = shown("1/(x-3)/1000000", 1.0, 5.0).expect("a division by zero");
        assert!(score != 3.0 || value.is_infinite());
        assert_eq!(shown("0/(x-3)", 3.0, 3.5).map(|(score, value)| (score, value.is_nan())), Some((3.0, true)));
    }

    proptest! {
        /// `linear` keeps order and reaches both ends; `inverted` is what is left of it.
        #[test]
        fn the_two_names_mirror_each_other(min in -100.0..100.0_f64, width in 0.5..100.0_f64, share in 0.0..=1.0_f64) {
            let (max, score) = (min + width, min + width * share);
            let linear = Formula::parse("linear").unwrap().value(score, min, max);
            let inverted = Formula::parse("inverted").unwrap().value(score, min, max);
            prop_assert!((linear - share).abs() < 1e-9);
            prop_assert!((linear + inverted - 1.0).abs() < 1e-9);
            prop_assert_eq!(Formula::linear().counterexample(min, max, std::iter::empty()), None);
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "[x0-9.()+*/ a-z-]{0,60}") {
            if let Ok(formula) = Formula::parse(&text) {
                formula.value(1.0, 0.0, 5.0);
            }
        }
    }
}
