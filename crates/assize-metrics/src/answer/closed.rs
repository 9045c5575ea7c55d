//! Closed forms with roots and π, which no fraction holds: read to their value.

/// Longer texts are not one value.
const LENGTH_LIMIT: usize = 200;

/// Nesting beyond this is not read.
const DEPTH_LIMIT: usize = 32;

/// The value of a text that is one closed form with a root or π in it: `2\sqrt{3}`, `\frac{\pi}{4}`, `√17 + 1`.
pub(super) fn value(text: &str) -> Option<f64> {
    if text.len() > LENGTH_LIMIT || !["sqrt", "√", "pi", "π"].iter().any(|sign| text.contains(sign)) {
        return None;
    }
    let mut plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    for (spelling, sign) in SPELLINGS {
        plain = plain.replace(spelling, sign);
    }
    let mut reader = Reader { rest: &plain, depth: 0 };
    let value = reader.sum()?;
    (reader.rest.is_empty() && value.is_finite()).then_some(value)
}

/// One sign for each thing, whichever way it is written.
const SPELLINGS: &[(&str, &str)] = &[
    ("\\left", ""),
    ("\\right", ""),
    ("\\,", ""),
    ("\\;", ""),
    ("\\!", ""),
    ("\\dfrac", "\\frac"),
    ("\\tfrac", "\\frac"),
    ("\\cdot", "*"),
    ("\\times", "*"),
    ("×", "*"),
    ("·", "*"),
    ("÷", "/"),
    ("−", "-"),
    ("\\sqrt", "√"),
    ("sqrt", "√"),
    ("\\pi", "π"),
    ("pi", "π"),
];

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    fn take(&mut self, sign: &str) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn sum(&mut self) -> Option<f64> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return None;
        }
        let mut value = self.product()?;
        loop {
            if self.take("+") {
                value += self.product()?;
            } else if self.take("-") {
                value -= self.product()?;
            } else {
                self.depth -= 1;
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let negative = self.take("-");
        let mut value = self.power()?;
        loop {
            if self.take("*") {
                value *= self.power()?;
            } else if self.take("/") {
                value /= self.power()?;
            } else if self.rest.starts_with(['√', 'π', '(', '\\']) {
                value *= self.power()?; // "2√3"
            } else {
                return Some(if negative { -value } else { value });
            }
        }
    }

    fn power(&mut self) -> Option<f64> {
        let base = self.atom()?;
        if !self.take("^") {
            return Some(base);
        }
        let negative = self.take("-");
        let exponent = self.atom()?;
        Some(base.powf(if negative { -exponent } else { exponent }))
    }

    fn atom(&mut self) -> Option<f64> {
        for (open, close) in [("(", ")"), ("{", "}")] {
            if self.take(open) {
                let value = self.sum()?;
                return self.take(close).then_some(value);
            }
        }
        if self.take("π") {
            return Some(std::f64::consts::PI);
        }
        if self.take("\\frac") {
            return Some(self.atom()? / self.atom()?);
        }
        if self.take("√") {
            let degree = if self.take("[") {
                let degree = self.sum()?;
                self.take("]").then_some(degree)?
            } else {
                2.0
            };
            return Some(self.atom()?.powf(degree.recip()));
        }
        let end = self.rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(self.rest.len());
        let (number, rest) = self.rest.split_at(end);
        self.rest = rest;
        number.parse().ok()
    }
}
