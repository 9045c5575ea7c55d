//! Languages, and whether a text is in one that a model knows.
//!
//! The language of a text is told only for this decision. Outside a model's languages its cosines are near zero
//! whatever the texts say, so the honest figure there is none. A wrong refusal would cost a figure that could be had,
//! so a text is only refused for its script, which is certain, or for a language that was told with confidence from
//! enough letters; short texts pass.

use std::fmt;

use whatlang::Script;

use crate::comparison::Unmeasured;
use crate::embedder::Passage;

/// A language with a code of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Language(&'static Entry);

#[derive(PartialEq, Eq)]
struct Entry {
    /// ISO 639-1, where there is one.
    short: &'static str,
    /// ISO 639-3.
    long: &'static str,
    name: &'static str,
}

impl Language {
    /// The language of a code such as `de`, `deu`, `de-AT` or `zh_TW`; script and region are not regarded.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        let primary = code.split(['-', '_']).next()?.trim().to_ascii_lowercase();
        // Codes that say the same in other words: macrolanguages, older codes.
        let primary = match primary.as_str() {
            "zho" | "chi" => "cmn",
            "iw" => "he",
            "in" => "id",
            "fil" => "tgl",
            "fas" | "per" => "pes",
            "ger" => "deu",
            "fre" => "fra",
            "dut" => "nld",
            "cze" => "ces",
            "gre" => "ell",
            "rum" => "ron",
            "nor" | "no" => "nb",
            other => other,
        };
        if primary.is_empty() {
            return None;
        }
        LANGUAGES.iter().find(|entry| entry.short == primary || entry.long == primary).map(Self)
    }

    /// The code: two letters where there is such a one, else three.
    #[must_use]
    pub fn code(self) -> &'static str {
        if self.0.short.is_empty() { self.0.long } else { self.0.short }
    }

    /// The English name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name
    }

    fn detectable(self) -> Option<whatlang::Lang> {
        whatlang::Lang::from_code(self.0.long)
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Language({})", self.code())
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The languages a model knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Languages {
    /// It makes no difference between languages.
    All,
    /// These.
    Some(Vec<Language>),
    /// The model does not say. Its figures are given, and nothing vouches for them.
    Unknown,
}

/// How much of a text is looked at.
const LOOKED_AT: usize = 4096;
/// With fewer letters than this a language that shares its script with a known one is not told apart.
const ENOUGH_LETTERS: usize = 30;

impl Languages {
    /// The languages of the given codes; `None` where one of them is not in the table.
    #[must_use]
    pub fn from_codes(codes: &[&str]) -> Option<Self> {
        codes.iter().map(|code| Language::from_code(code)).collect::<Option<_>>().map(Self::Some)
    }

    /// Whether a text is in one of the languages, or could be.
    pub fn understand(&self, passage: Passage<'_>) -> Result<(), Unmeasured> {
        let Self::Some(known) = self else { return Ok(()) };
        if let Some(stated) = passage.language {
            return if known.contains(&stated) { Ok(()) } else { Err(Unmeasured::LanguageNotKnown(stated)) };
        }
        let text = beginning(passage.text);
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        if letters == 0 {
            return Ok(());
        }
        // Some languages a model may know cannot be told from a text, nor can their scripts; they get the benefit.
        let certain = known.iter().all(|language| language.detectable().is_some());
        let Some(script) = whatlang::detect_script(text) else {
            return if certain { Err(Unmeasured::ScriptNotKnown) } else { Ok(()) };
        };
        let found = whatlang::detect(text);
        let told = found
            .filter(|info| info.is_reliable() && letters >= ENOUGH_LETTERS)
            .and_then(|info| Language::from_code(info.lang().code()));
        let shared = known.iter().filter_map(|language| language.detectable()).any(|lang| writes(lang, script));
        if !shared && certain {
            return Err(told.map_or_else(|| not_known_by_script(script), Unmeasured::LanguageNotKnown));
        }
        match told {
            Some(language) if !known.contains(&language) => Err(Unmeasured::LanguageNotKnown(language)),
            _ => Ok(()),
        }
    }
}

fn not_known_by_script(script: Script) -> Unmeasured {
    // The first is the most widely spoken.
    let languages = script.langs();
    match languages.first().and_then(|lang| Language::from_code(lang.code())) {
        Some(only) if languages.len() == 1 => Unmeasured::LanguageNotKnown(only),
        Some(likely) => Unmeasured::ScriptOfLanguagesNotKnown { likely, script: script_name(script) },
        None => Unmeasured::ScriptNotKnown,
    }
}

/// Whether the language is written in the script.
fn writes(lang: whatlang::Lang, script: Script) -> bool {
    // A Japanese text may be all Chinese characters.
    script.langs().contains(&lang) || (lang == whatlang::Lang::Jpn && script == Script::Mandarin)
}

/// The script most of a text is in: the writing systems that one language mixes count as one.
pub(crate) fn script(text: &str) -> Option<&'static str> {
    whatlang::detect_script(beginning(text)).map(script_name)
}

fn script_name(script: Script) -> &'static str {
    match script {
        Script::Latin => "Latin",
        Script::Cyrillic => "Cyrillic",
        Script::Arabic => "Arabic",
        Script::Devanagari => "Devanagari",
        Script::Hiragana | Script::Katakana | Script::Mandarin => "Chinese or Japanese",
        Script::Ethiopic => "Ethiopic",
        Script::Hebrew => "Hebrew",
        Script::Bengali => "Bengali",
        Script::Georgian => "Georgian",
        Script::Hangul => "Hangul",
        Script::Greek => "Greek",
        Script::Kannada => "Kannada",
        Script::Tamil => "Tamil",
        Script::Thai => "Thai",
        Script::Gujarati => "Gujarati",
        Script::Gurmukhi => "Gurmukhi",
        Script::Telugu => "Telugu",
        Script::Malayalam => "Malayalam",
        Script::Oriya => "Odia",
        Script::Myanmar => "Myanmar",
        Script::Sinhala => "Sinhala",
        Script::Khmer => "Khmer",
        Script::Armenian => "Armenian",
    }
}

fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(LOOKED_AT)]
}

const fn entry(short: &'static str, long: &'static str, name: &'static str) -> Entry {
    Entry { short, long, name }
}

/// The languages that can be told from a text, and those that multilingual models commonly list.
static LANGUAGES: &[Entry] = &[
    entry("af", "afr", "Afrikaans"),
    entry("ak", "aka", "Akan"),
    entry("am", "amh", "Amharic"),
    entry("ar", "ara", "Arabic"),
    entry("as", "asm", "Assamese"),
    entry("az", "aze", "Azerbaijani"),
    entry("be", "bel", "Belarusian"),
    entry("bg", "bul", "Bulgarian"),
    entry("bn", "ben", "Bengali"),
    entry("bo", "bod", "Tibetan"),
    entry("bs", "bos", "Bosnian"),
    entry("ca", "cat", "Catalan"),
    entry("", "ceb", "Cebuano"),
    entry("co", "cos", "Corsican"),
    entry("cs", "ces", "Czech"),
    entry("cy", "cym", "Welsh"),
    entry("da", "dan", "Danish"),
    entry("de", "deu", "German"),
    entry("el", "ell", "Greek"),
    entry("en", "eng", "English"),
    entry("eo", "epo", "Esperanto"),
    entry("es", "spa", "Spanish"),
    entry("et", "est", "Estonian"),
    entry("eu", "eus", "Basque"),
    entry("fa", "pes", "Persian"),
    entry("fi", "fin", "Finnish"),
    entry("fr", "fra", "French"),
    entry("fy", "fry", "Frisian"),
    entry("ga", "gle", "Irish"),
    entry("gd", "gla", "Scottish Gaelic"),
    entry("gl", "glg", "Galician"),
    entry("gu", "guj", "Gujarati"),
    entry("ha", "hau", "Hausa"),
    entry("", "haw", "Hawaiian"),
    entry("he", "heb", "Hebrew"),
    entry("hi", "hin", "Hindi"),
    entry("", "hmn", "Hmong"),
    entry("hr", "hrv", "Croatian"),
    entry("ht", "hat", "Haitian Creole"),
    entry("hu", "hun", "Hungarian"),
    entry("hy", "hye", "Armenian"),
    entry("id", "ind", "Indonesian"),
    entry("ig", "ibo", "Igbo"),
    entry("is", "isl", "Icelandic"),
    entry("it", "ita", "Italian"),
    entry("ja", "jpn", "Japanese"),
    entry("jv", "jav", "Javanese"),
    entry("ka", "kat", "Georgian"),
    entry("kk", "kaz", "Kazakh"),
    entry("km", "khm", "Khmer"),
    entry("kn", "kan", "Kannada"),
    entry("ko", "kor", "Korean"),
    entry("ku", "kur", "Kurdish"),
    entry("ky", "kir", "Kyrgyz"),
    entry("la", "lat", "Latin"),
    entry("lb", "ltz", "Luxembourgish"),
    entry("lo", "lao", "Lao"),
    entry("lt", "lit", "Lithuanian"),
    entry("lv", "lav", "Latvian"),
    entry("mg", "mlg", "Malagasy"),
    entry("mi", "mri", "Maori"),
    entry("mk", "mkd", "Macedonian"),
    entry("ml", "mal", "Malayalam"),
    entry("mn", "mon", "Mongolian"),
    entry("mr", "mar", "Marathi"),
    entry("ms", "msa", "Malay"),
    entry("mt", "mlt", "Maltese"),
    entry("my", "mya", "Burmese"),
    entry("nb", "nob", "Norwegian"),
    entry("ne", "nep", "Nepali"),
    entry("nl", "nld", "Dutch"),
    entry("nn", "nno", "Norwegian Nynorsk"),
    entry("ny", "nya", "Nyanja"),
    entry("or", "ori", "Odia"),
    entry("pa", "pan", "Punjabi"),
    entry("pl", "pol", "Polish"),
    entry("ps", "pus", "Pashto"),
    entry("pt", "por", "Portuguese"),
    entry("ro", "ron", "Romanian"),
    entry("ru", "rus", "Russian"),
    entry("rw", "kin", "Kinyarwanda"),
    entry("sd", "snd", "Sindhi"),
    entry("si", "sin", "Sinhala"),
    entry("sk", "slk", "Slovak"),
    entry("sl", "slv", "Slovenian"),
    entry("sm", "smo", "Samoan"),
    entry("sn", "sna", "Shona"),
    entry("so", "som", "Somali"),
    entry("sq", "sqi", "Albanian"),
    entry("sr", "srp", "Serbian"),
    entry("st", "sot", "Southern Sotho"),
    entry("su", "sun", "Sundanese"),
    entry("sv", "swe", "Swedish"),
    entry("sw", "swa", "Swahili"),
    entry("ta", "tam", "Tamil"),
    entry("te", "tel", "Telugu"),
    entry("tg", "tgk", "Tajik"),
    entry("th", "tha", "Thai"),
    entry("tk", "tuk", "Turkmen"),
    entry("tl", "tgl", "Tagalog"),
    entry("tr", "tur", "Turkish"),
    entry("tt", "tat", "Tatar"),
    entry("ug", "uig", "Uyghur"),
    entry("uk", "ukr", "Ukrainian"),
    entry("ur", "urd", "Urdu"),
    entry("uz", "uzb", "Uzbek"),
    entry("vi", "vie", "Vietnamese"),
    entry("wo", "wol", "Wolof"),
    entry("xh", "xho", "Xhosa"),
    entry("yi", "yid", "Yiddish"),
    entry("yo", "yor", "Yoruba"),
    entry("zh", "cmn", "Chinese"),
    entry("zu", "zul", "Zulu"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_in_their_spellings() {
        for (code, name) in [
            ("de", "German"),
            ("deu", "German"),
            ("de-AT", "German"),
            ("zh_TW", "Chinese"),
            ("HI", "Hindi"),
            ("no", "Norwegian"),
        ] {
            assert_eq!(Language::from_code(code).unwrap().name(), name);
        }
        for code in ["", "-", "xx", "multilingual", "english"] {
            assert_eq!(Language::from_code(code), None, "{code}");
        }
    }

    #[test]
    fn every_language_that_can_be_told_is_in_the_table() {
        for &lang in whatlang::Lang::all() {
            assert!(Language::from_code(lang.code()).is_some(), "{lang:?}");
        }
        for (n, entry) in LANGUAGES.iter().enumerate() {
            assert_eq!(entry.long.len(), 3);
            let same =
                |other: &&Entry| other.long == entry.long || (!entry.short.is_empty() && other.short == entry.short);
            assert!(!LANGUAGES[..n].iter().any(|other| same(&other)), "{}", entry.name);
        }
    }

    fn refusal(known: &[&str], text: &str) -> Option<String> {
        Languages::from_codes(known).unwrap().understand(text.into()).err().map(|reason| reason.to_string())
    }

    #[test]
    fn another_script_is_refused_however_short() {
        assert_eq!(
            refusal(&["en", "de"], "नमस्ते").unwrap(),
            "the model does not know Hindi or another language in Devanagari script"
        );
        assert_eq!(refusal(&["en", "de"], "γειά").unwrap(), "the model does not know Greek");
        assert_eq!(
            refusal(&["en", "ru"], "שלום").unwrap(),
            "the model does not know Hebrew or another language in Hebrew script"
        );
        assert_eq!(refusal(&["en"], "東京").unwrap(), "the model does not know Chinese");
        assert_eq!(refusal(&["en"], "ສະບາຍດີ").unwrap(), "the model knows no language in this script");
        assert_eq!(refusal(&["ja"], "東京"), None);
        assert_eq!(refusal(&["en", "lo"], "ສະບາຍດີ"), None);
    }

    #[test]
    fn a_language_of_the_same_script_is_refused_when_it_is_plain() {
        let swedish = "Jag skulle vilja veta varför min faktura är högre den här månaden än förra månaden.";
        assert_eq!(refusal(&["en", "de", "nl"], swedish).unwrap(), "the model does not know Swedish");
        assert_eq!(refusal(&["en", "sv"], swedish), None);
        assert_eq!(refusal(&["en", "de", "nl"], "Hej då!"), None);
    }

    #[test]
    fn what_has_no_letters_passes() {
        for text in ["", "   ", "12:30", "€ 19.99 !", "👍"] {
            assert_eq!(refusal(&["en"], text), None, "{text}");
        }
    }

    #[test]
    fn languages_that_are_all_or_unknown_refuse_nothing() {
        for languages in [Languages::All, Languages::Unknown] {
            assert_eq!(languages.understand("नमस्ते".into()), Ok(()));
        }
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let long = "मेरा भुगतान विफल हो गया है और मुझे समझ नहीं आ रहा कि ऐसा क्यों हुआ। ".repeat(100);
        assert_eq!(refusal(&["en"], &long).unwrap(), "the model does not know Hindi");
    }
}
