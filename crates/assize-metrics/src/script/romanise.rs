//! Latin letters for the scripts of India, for Cyrillic, Greek, Arabic and Katakana.
//!
//! The nine scripts of India that Unicode took over from ISCII stand in blocks of 128 with the same letter at the same
//! place, so one table serves all of them. The spelling is for comparing by ear, not for reading back: long and short
//! vowels, dental and retroflex consonants fall together, and the unwritten vowel at the end of a word is left out.

use unicode_normalization::UnicodeNormalization;

const FIRST_CONSONANT: u32 = 0x15;

/// From KA to HA.
const CONSONANTS: [&str; 37] = [
    "k", "kh", "g", "gh", "n", "ch", "chh", "j", "jh", "n", "t", "th", "d", "dh", "n", "t", "th", "d", "dh", "n", "n",
    "p", "ph", "b", "bh", "m", "y", "r", "r", "l", "l", "l", "v", "sh", "sh", "s", "h",
];

const FIRST_VOWEL: u32 = 0x05;

/// From A to AU.
const VOWELS: [&str; 16] = ["a", "a", "i", "i", "u", "u", "ri", "li", "e", "e", "e", "ai", "o", "o", "o", "au"];

const FIRST_VOWEL_SIGN: u32 = 0x3e;

/// The signs from AA to AU.
const VOWEL_SIGNS: [&str; 15] = ["a", "i", "i", "u", "u", "ri", "ri", "e", "e", "e", "ai", "o", "o", "o", "au"];

const CANDRABINDU: u32 = 0x01;
const ANUSVARA: u32 = 0x02;
const VISARGA: u32 = 0x03;
const NUKTA: u32 = 0x3c;
const VIRAMA: u32 = 0x4d;

const CYRILLIC: [(char, &str); 36] = [
    ('а', "a"),
    ('б', "b"),
    ('в', "v"),
    ('г', "g"),
    ('ґ', "g"),
    ('д', "d"),
    ('е', "e"),
    ('є', "ye"),
    ('ж', "zh"),
    ('з', "z"),
    ('и', "i"),
    ('і', "i"),
    ('к', "k"),
    ('л', "l"),
    ('м', "m"),
    ('н', "n"),
    ('о', "o"),
    ('п', "p"),
    ('р', "r"),
    ('с', "s"),
    ('т', "t"),
    ('у', "u"),
    ('ф', "f"),
    ('х', "kh"),
    ('ц', "ts"),
    ('ч', "ch"),
    ('ш', "sh"),
    ('щ', "shch"),
    ('ъ', ""),
    ('ы', "y"),
    ('ь', ""),
    ('э', "e"),
    ('ю', "yu"),
    ('я', "ya"),
    ('ј', "j"),
    ('џ', "j"),
];

const GREEK: [(char, &str); 25] = [
    ('α', "a"),
    ('β', "v"),
    ('γ', "g"),
    ('δ', "d"),
    ('ε', "e"),
    ('ζ', "z"),
    ('η', "i"),
    ('θ', "th"),
    ('ι', "i"),
    ('κ', "k"),
    ('λ', "l"),
    ('μ', "m"),
    ('ν', "n"),
    ('ξ', "x"),
    ('ο', "o"),
    ('π', "p"),
    ('ρ', "r"),
    ('σ', "s"),
    ('ς', "s"),
    ('τ', "t"),
    ('υ', "y"),
    ('φ', "f"),
    ('χ', "ch"),
    ('ψ', "ps"),
    ('ω', "o"),
];

/// Long vowels only: Arabic does not write the short ones.
const ARABIC: [(char, &str); 42] = [
    ('ا', "a"),
    ('أ', "a"),
    ('إ', "i"),
    ('آ', "a"),
    ('ى', "a"),
    ('ة', "a"),
    ('ء', ""),
    ('ئ', "i"),
    ('ؤ', "u"),
    ('ع', "a"),
    ('ب', "b"),
    ('پ', "p"),
    ('ت', "t"),
    ('ث', "th"),
    ('ج', "j"),
    ('چ', "ch"),
    ('ح', "h"),
    ('خ', "kh"),
    ('د', "d"),
    ('ذ', "dh"),
    ('ر', "r"),
    ('ز', "z"),
    ('س', "s"),
    ('ش', "sh"),
    ('ص', "s"),
    ('ض', "d"),
    ('ط', "t"),
    ('ظ', "z"),
    ('غ', "gh"),
    ('ف', "f"),
    ('ڤ', "v"),
    ('ق', "k"),
    ('ك', "k"),
    ('ک', "k"),
    ('گ', "g"),
    ('ل', "l"),
    ('م', "m"),
    ('ن', "n"),
    ('ه', "h"),
    ('و', "u"),
    ('ي', "i"),
    ('ی', "i"),
];

/// In which Japanese writes words of other languages. Marks for voicing are apart after decomposition.
const KATAKANA: [(char, &str); 46] = [
    ('ア', "a"),
    ('イ', "i"),
    ('ウ', "u"),
    ('エ', "e"),
    ('オ', "o"),
    ('カ', "ka"),
    ('キ', "ki"),
    ('ク', "ku"),
    ('ケ', "ke"),
    ('コ', "ko"),
    ('サ', "sa"),
    ('シ', "shi"),
    ('ス', "su"),
    ('セ', "se"),
    ('ソ', "so"),
    ('タ', "ta"),
    ('チ', "chi"),
    ('ツ', "tsu"),
    ('テ', "te"),
    ('ト', "to"),
    ('ナ', "na"),
    ('ニ', "ni"),
    ('ヌ', "nu"),
    ('ネ', "ne"),
    ('ノ', "no"),
    ('ハ', "ha"),
    ('ヒ', "hi"),
    ('フ', "fu"),
    ('ヘ', "he"),
    ('ホ', "ho"),
    ('マ', "ma"),
    ('ミ', "mi"),
    ('ム', "mu"),
    ('メ', "me"),
    ('モ', "mo"),
    ('ヤ', "ya"),
    ('ユ', "yu"),
    ('ヨ', "yo"),
    ('ラ', "ra"),
    ('リ', "ri"),
    ('ル', "ru"),
    ('レ', "re"),
    ('ロ', "ro"),
    ('ワ', "wa"),
    ('ヲ', "o"),
    ('ン', "n"),
];

/// A syllable of Katakana with a mark that voices its consonant.
fn voiced(syllable: &str, mark: char) -> Option<String> {
    let (from, to) = [
        ("sh", "j"),
        ("ch", "j"),
        ("ts", "z"),
        ("k", "g"),
        ("s", "z"),
        ("t", "d"),
        ("h", "b"),
        ("f", "b"),
        ("u", "vu"),
    ]
    .into_iter()
    .find(|(from, _)| syllable.starts_with(from))?;
    let to = if mark == '\u{309a}' { "p" } else { to };
    Some(format!("{to}{}", &syllable[from.len()..]))
}

/// Reads a Katakana letter, with what belongs to it: a voicing mark, a small vowel that takes the place of its own.
fn katakana(characters: &[char], position: usize, latin: &mut String) {
    let Some((_, syllable)) = KATAKANA.iter().find(|(letter, _)| *letter == characters[position]) else { return };
    let next = characters.get(position + 1).copied().unwrap_or_default();
    match next {
        '\u{3099}' | '\u{309a}' => latin.push_str(&voiced(syllable, next).unwrap_or_else(|| (*syllable).to_owned())),
        _ => latin.push_str(syllable),
    }
    let after = if matches!(next, '\u{3099}' | '\u{309a}') { position + 2 } else { position + 1 };
    let small = match characters.get(after) {
        Some('ァ' | 'ャ') => "a",
        Some('ィ') => "i",
        Some('ゥ' | 'ュ') => "u",
        Some('ェ') => "e",
        Some('ォ' | 'ョ') => "o",
        _ => return,
    };
    latin.pop();
    latin.push_str(small);
}

/// The text in lower-case Latin letters without accents; `None` where it has letters that no table covers.
///
/// ```
/// use assize_metrics::script::romanise;
///
/// assert_eq!(romanise("पेमेंट").as_deref(), Some("pement"));
/// assert_eq!(romanise("платёж").as_deref(), Some("platezh"));
/// assert_eq!(romanise("返金"), None);
/// ```
pub fn romanise(text: &str) -> Option<String> {
    let characters: Vec<char> = text.nfkd().flat_map(char::to_lowercase).collect();
    let mut latin = String::with_capacity(text.len());
    for (position, character) in characters.iter().copied().enumerate() {
        match character {
            '\0'..='\u{7f}' => latin.push(character),
            // Accents, and the joiners that only shape letters.
            '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200d}' => {}
            '\u{900}'..='\u{d7f}' => indic(&characters, position, &mut latin),
            'ァ'..='ヺ' => katakana(&characters, position, &mut latin),
            // The long mark, and the marks that were read with their letter.
            'ー' | '\u{3099}' | '\u{309a}' => {}
            // The marks of short and doubled letters.
            '\u{640}' | '\u{64b}'..='\u{655}' => {}
            'ß' => latin.push_str("ss"),
            'æ' => latin.push_str("ae"),
            'ø' => latin.push('o'),
            'œ' => latin.push_str("oe"),
            'ł' => latin.push('l'),
            'đ' | 'ð' => latin.push('d'),
            'þ' => latin.push_str("th"),
            'ı' => latin.push('i'),
            _ => {
                let known = CYRILLIC.iter().chain(&GREEK).chain(&ARABIC).find(|(letter, _)| *letter == character);
                match known {
                    Some((_, letters)) => latin.push_str(letters),
                    None if character.is_alphabetic() => return None,
                    None => latin.push(character),
                }
            }
        }
    }
    Some(latin)
}

fn place(character: char) -> Option<u32> {
    matches!(character, '\u{900}'..='\u{d7f}').then(|| (character as u32) % 0x80)
}

fn consonant(characters: &[char], position: usize) -> Option<&'static str> {
    let here = place(*characters.get(position)?)?;
    let letter = *CONSONANTS.get(usize::try_from(here.checked_sub(FIRST_CONSONANT)?).ok()?)?;
    if characters.get(position + 1).copied().and_then(place) != Some(NUKTA) {
        return Some(letter);
    }
    // A dot below makes the consonants of Persian and English words, and the flapped r.
    Some(match letter {
        "j" => "z",
        "ph" => "f",
        "d" => "r",
        "dh" => "rh",
        other => other,
    })
}

fn indic(characters: &[char], position: usize, latin: &mut String) {
    let Some(here) = place(characters[position]) else { return };
    if let Some(letter) = consonant(characters, position) {
        latin.push_str(letter);
        let mut next = position + 1;
        if characters.get(next).copied().and_then(place) == Some(NUKTA) {
            next += 1;
        }
        if has_unwritten_vowel(characters, next) {
            latin.push('a');
        }
        return;
    }
    match here {
        CANDRABINDU | ANUSVARA => latin.push(nasal(characters, position)),
        VISARGA => latin.push('h'),
        0x66..=0x6f => latin.push(char::from(b'0' + (here - 0x66) as u8)),
        // The danda ends a sentence.
        0x64 | 0x65 => latin.push('.'),
        _ => {
            let vowel = |first: u32, table: &[&'static str]| {
                here.checked_sub(first).and_then(|index| table.get(index as usize).copied())
            };
            if let Some(letters) = vowel(FIRST_VOWEL, &VOWELS).or_else(|| vowel(FIRST_VOWEL_SIGN, &VOWEL_SIGNS)) {
                latin.push_str(letters);
            }
        }
    }
}

/// Whether a consonant is followed by nothing that says otherwise, and is not the last of its word.
fn has_unwritten_vowel(characters: &[char], next: usize) -> bool {
    let Some(next_place) = characters.get(next).copied().and_then(place) else { return false };
    !(next_place == VIRAMA || (FIRST_VOWEL_SIGN..VIRAMA).contains(&next_place) || matches!(next_place, 0x64..=0x6f))
}

/// The nasal dot is m before p, b and m, and n elsewhere.
fn nasal(characters: &[char], position: usize) -> char {
    match consonant(characters, position + 1) {
        Some("p" | "ph" | "b" | "bh" | "m" | "f") => 'm',
        _ => 'n',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indic_scripts_share_one_table() {
        for (written, latin) in [
            ("रिफंड", "riphand"),
            ("कंप्लेंट", "kamplent"),
            ("फ़ोन", "fon"),
            ("ज़ीरो", "ziro"),
            ("कार्ड", "kard"),
            ("प्रिया शर्मा", "priya sharma"),
            ("९९८७", "9987"),
            ("রিফান্ড", "riphand"),
            ("ரீபண்ட்", "ripant"),
            ("పేమెంట్", "pement"),
        ] {
            assert_eq!(romanise(written).as_deref(), Some(latin), "{written}");
        }
    }

    #[test]
    fn other_scripts_and_accents() {
        assert_eq!(romanise("Überweisung Straße").as_deref(), Some("uberweisung strasse"));
        assert_eq!(romanise("Возврат").as_deref(), Some("vozvrat"));
        assert_eq!(romanise("λογαριασμός").as_deref(), Some("logariasmos"));
        assert_eq!(romanise("환불"), None);
        assert_eq!(romanise("").as_deref(), Some(""));
    }
}
