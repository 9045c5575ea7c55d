//! The languages a model's `README.md` names in the settings at its head.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::language::{Language, Languages};

/// The settings stand at the head of the file; a list of languages is a few kilobytes.
const HEAD: u64 = 64 << 10;

/// The languages named there; not known where there are none, or one of them is not in the table.
pub(super) fn languages(path: &Path) -> Languages {
    let mut head = Vec::new();
    if File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head)).is_err() {
        return Languages::Unknown;
    }
    from_settings(&String::from_utf8_lossy(&head))
}

fn from_settings(text: &str) -> Languages {
    let mut lines = text.lines();
    if lines.next().map(str::trim_end) != Some("---") {
        return Languages::Unknown;
    }
    let mut lines = lines.take_while(|line| line.trim_end() != "---").skip_while(|line| !line.starts_with("language:"));
    let Some(first) = lines.next().and_then(|line| line.strip_prefix("language:")) else { return Languages::Unknown };
    let below = lines.map_while(|line| line.trim_start().strip_prefix('-'));
    let codes = first.trim().trim_start_matches('[').trim_end_matches(']').split(',').chain(below);
    let codes: Vec<&str> = codes.map(|code| code.trim().trim_matches(['"', '\''])).collect();
    let codes = codes.into_iter().filter(|code| !code.is_empty() && *code != "multilingual");
    // A language that is not in the table cannot be compared with, so the list would not be the model's.
    match codes.map(Language::from_code).collect::<Option<Vec<Language>>>() {
        Some(languages) if !languages.is_empty() => Languages::Some(languages),
        _ => Languages::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ways_in_which_languages_are_named() {
        let some = |codes: &[&str]| Languages::from_codes(codes).unwrap();
        assert_eq!(from_settings("---\nlanguage: en\nlicense: mit\n---\n"), some(&["en"]));
        assert_eq!(from_settings("---\nlanguage: [en, 'de']\n---\n"), some(&["en", "de"]));
        assert_eq!(
            from_settings("---\ntags:\n- x\nlanguage: \n- multilingual\n- af\n- sq\n- zh\nlicense: a\n- no\n---\n"),
            some(&["af", "sq", "zh"])
        );
        assert_eq!(from_settings("---\nlanguage:\n  - \"no\"\n---\n"), some(&["nb"]));
    }

    #[test]
    fn what_says_nothing_is_unknown() {
        for text in [
            "",
            "# A model\nlanguage: en\n",
            "---\nlicense: mit\n---\nlanguage: en\n",
            "---\nlanguage: multilingual\n---\n",
            "---\nlanguage: [en, tlh]\n---\n",
            "---\nlanguage:\n---\n",
        ] {
            assert_eq!(from_settings(text), Languages::Unknown, "{text}");
        }
    }
}
