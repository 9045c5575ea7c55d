//! Where a response states its final answer.
//!
//! In this order, and of each the last: `\boxed{…}`, `#### …` (GSM8K), "final answer", "the answer is"
//! or "Answer:", a bold value in the last paragraph, and the last line where it is a bare value.

use serde::{Deserialize, Serialize};

use super::value::{Value, read, tidy};

/// Responses are searched in their last bytes only, this many: the answer stands at the end.
const SEARCHED: usize = 100_000;

/// Longer statements are explanations, not answers.
const LONGEST: usize = 400;

/// How an answer was recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerSource {
    /// `\boxed{…}`.
    Boxed,
    /// After `####`.
    Hashes,
    /// After "the answer is", "Answer:", "final answer".
    Stated,
    /// In bold, in the last paragraph.
    Bold,
    /// The last line is nothing but a value.
    LastLine,
}

/// The answer that a response gives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinalAnswer {
    /// As written, without the marks around it.
    pub text: String,
    /// How it was recognised.
    pub source: AnswerSource,
}

/// The final answer of a response, or `None` where it states none.
///
/// ```
/// use assize_metrics::answer::final_answer;
///
/// let answer = final_answer("2 + 2 = 4, so the answer is **4**.").map(|answer| answer.text);
/// assert_eq!(answer.as_deref(), Some("4"));
/// ```
pub fn final_answer(response: &str) -> Option<FinalAnswer> {
    let mut start = response.len().saturating_sub(SEARCHED);
    while !response.is_char_boundary(start) {
        start += 1;
    }
    let response = &response[start..];
    let found = |text: &str, source| {
        let text = tidy(text);
        (!text.is_empty() && text.len() <= LONGEST).then_some(FinalAnswer { text, source })
    };
    boxed(response)
        .and_then(|text| found(&text, AnswerSource::Boxed))
        .or_else(|| hashes(response).and_then(|text| found(text, AnswerSource::Hashes)))
        .or_else(|| stated(response).and_then(|text| found(text, AnswerSource::Stated)))
        .or_else(|| bold(response).and_then(|text| found(text, AnswerSource::Bold)))
        .or_else(|| bare_last_line(response).and_then(|text| found(text, AnswerSource::LastLine)))
}

/// The content of the last `\boxed{…}` whose braces close. Several side by side ("x = \boxed{1} or x = \boxed{7}") are a list.
fn boxed(response: &str) -> Option<String> {
    const OPEN: &str = "\\boxed{";
    let mut boxes: Vec<&str> = Vec::new();
    let mut end = response.len();
    while let Some(position) = response[..end].rfind(OPEN) {
        let inside = &response[position + OPEN.len()..];
        if let Some(length) = closing_brace(inside) {
            let after = position + OPEN.len() + length + 1;
            if !boxes.is_empty() && !response.get(after..end).is_some_and(joins) {
                break;
            }
            boxes.insert(0, &inside[..length]);
        } else if !boxes.is_empty() {
            break;
        }
        end = position;
    }
    boxes.dedup();
    (!boxes.is_empty()).then(|| boxes.join(", "))
}

/// Where the brace closes that was opened before the text.
fn closing_brace(inside: &str) -> Option<usize> {
    let mut depth = 1;
    for (offset, character) in inside.char_indices().take(LONGEST * 4) {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(offset);
        }
    }
    None
}

/// Whether nothing but a conjunction, and at most the name of a variable, stands between two boxes.
fn joins(between: &str) -> bool {
    let plain = between.replace(['$', ',', '{', '}', '='], " ");
    let is_joint = |word: &str| {
        ["and", "or", "\\text", "\\quad", "\\(", "\\)", "\\[", "\\]"].contains(&word) || word.chars().count() == 1
    };
    plain.split_whitespace().all(is_joint)
}

fn hashes(response: &str) -> Option<&str> {
    let (_, after) = response.rsplit_once("#### ")?;
    let line = after.lines().next()?;
    // A Markdown heading of the fourth level is no answer unless it is a value.
    (!matches!(read(&tidy(line)), Value::Text(_))).then_some(line)
}

fn stated(response: &str) -> Option<&str> {
    const PHRASES: &[&str] = &[
        "answer is",
        "answer:",
        "answer would be",
        "answer =",
        "antwort:",
        "respuesta:",
        "réponse:",
        "réponse :",
        "resposta:",
        "risposta:",
        "ответ:",
        "उत्तर:",
        "答案:",
        "答案：",
        "答え:",
        "答え：",
    ];
    // ASCII case folding keeps every byte where it is.
    let lower = response.to_ascii_lowercase().replace("**", "  ");
    // A line that begins with "Answer:" is meant as one; a sentence about some answer only may be.
    let mut labelled: Option<usize> = None;
    let mut mentioned: Option<usize> = None;
    for phrase in PHRASES {
        for (position, _) in lower.rmatch_indices(phrase) {
            let end = Some(position + phrase.len());
            mentioned = mentioned.max(end);
            if phrase.ends_with([':', '：']) && labels_its_line(&lower[..position]) {
                labelled = labelled.max(end);
                break;
            }
        }
    }
    let after = response.get(labelled.or(mentioned)?..)?;
    let after = after.trim_start_matches([' ', ':', '*', '\t', '\n']);
    let lower = after.get(..4).unwrap_or("").to_ascii_lowercase();
    if lower.starts_with("not ") {
        return None;
    }
    Some(first_sentence(after))
}

/// Whether nothing but words that introduce an answer stands before it on its line.
fn labels_its_line(before: &str) -> bool {
    const INTRODUCTIONS: &[&str] = &["the", "my", "final", "so", "thus", "therefore", "hence", "short"];
    let line = before.rsplit('\n').next().unwrap_or_default();
    let mut words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.all(|word| INTRODUCTIONS.contains(&word))
}

/// Up to the end of the line or of the sentence; a point inside a number does not end it.
fn first_sentence(text: &str) -> &str {
    let line = text.lines().next().unwrap_or("");
    for (position, character) in line.char_indices() {
        let rest = &line[position + character.len_utf8()..];
        let ends = match character {
            '.' => {
                // "B. Paris" goes on after the point.
                let letter_label = position == 1;
                (rest.is_empty() || rest.starts_with(char::is_whitespace)) && !letter_label
            }
            ';' | '!' | '?' => true,
            _ => false,
        };
        if ends {
            return &line[..position];
        }
    }
    line
}

/// The last bold stretch of the last paragraph, if it is a value.
fn bold(response: &str) -> Option<&str> {
    let paragraph = response.trim_end().rsplit("\n\n").next()?;
    let parts: Vec<&str> = paragraph.split("**").collect();
    // Odd places are inside the marks; an even number of marks means an odd number of parts.
    let last_inside = (parts.len() | 1).checked_sub(2)?;
    if parts.len().is_multiple_of(2) {
        return None;
    }
    let inside = *parts.get(last_inside)?;
    (!inside.trim_end().ends_with(':')).then_some(inside)
}

fn bare_last_line(response: &str) -> Option<&str> {
    let line = response.trim_end().lines().next_back()?;
    (!matches!(read(&tidy(line)), Value::Text(_))).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stated_in_many_ways() {
        use AnswerSource::{Bold, Boxed, Hashes, LastLine, Stated};
        for (response, text, source) in [
            (r"so \boxed{1} … and thus $\boxed{\frac{1}{2}}$.", r"\frac{1}{2}", Boxed),
            (r"$x = \boxed{1}$ or $x = \boxed{7}$.", "1, 7", Boxed),
            (r"\boxed{-1}, \boxed{1}, \text{and} \boxed{7}", "-1, 1, 7", Boxed),
            (r"\boxed{4} is wrong. So it is \boxed{5}", "5", Boxed),
            (r"\boxed{5} then \boxed{unclosed", "5", Boxed),
            ("Work…\n#### 1,234", "1,234", Hashes),
            ("The answer is 3.5. Good luck!", "3.5", Stated),
            ("So the answer is -14", "-14", Stated),
            ("The answer is 3. No: the final answer is 4.", "4", Stated),
            ("**Answer:** Paris", "Paris", Stated),
            ("Final Answer: (B) Paris.", "(B) Paris", Stated),
            ("The answer is B. Paris", "B. Paris", Stated),
            ("Answer: 25%\n\nNote: the reference answer is out of date.", "25%", Stated),
            ("**Final answer:** 7\n\nMy earlier answer is wrong.", "7", Stated),
            ("Answer: **42**", "42", Stated),
            ("The final answer is: $12", "$12", Stated),
            ("Adding up, we get **17 apples**.", "17 apples", Bold),
            ("68 × 0,25 = 17.\n\nRespuesta: 17 euros", "17 euros", Stated),
            ("360 ÷ 12 = 30。\n\n答案：30 分钟", "30 分钟", Stated),
            ("We add.\n\n42", "42", LastLine),
            ("We think.\n(C)", "C", LastLine),
            ("Hmm.\nYes.", "Yes", LastLine),
        ] {
            let found = final_answer(response);
            let expected = FinalAnswer { text: text.into(), source };
            let found = found.map(|mut found| {
                // The brackets of "(C)" may be tidied away.
                if found.text == "(C)" {
                    found.text = "C".into();
                }
                found
            });
            assert_eq!(found, Some(expected), "{response}");
        }
    }

    #[test]
    fn nothing_stated() {
        for response in ["", "I do not know", "It rains.\nIt pours.", "#### Summary of it all"] {
            assert_eq!(final_answer(response), None, "{response}");
        }
        assert_eq!(final_answer("The answer is not 5."), None);
        final_answer(&r"\boxed{".repeat(20_000));
        final_answer(&"é".repeat(80_000));
    }
}
