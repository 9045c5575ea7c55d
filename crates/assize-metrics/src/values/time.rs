//! Times of day: `9am`, `21:00`, `half past nine in the morning`, `17 Uhr`, `午後3時`.

use super::number_words;
use serde::{Deserialize, Serialize};

/// What a time with no `am` or `pm` means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Clock {
    /// 9:30 is in the morning.
    #[default]
    #[serde(rename = "24h")]
    Hours24,
    /// 9:30 is in the morning or in the evening.
    #[serde(rename = "12h")]
    Hours12,
}

/// The minutes since midnight that a text can mean; never empty.
pub(super) type Readings = Vec<u16>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Morning,
    Evening,
    /// It says that it is a time of the 24-hour clock.
    Whole,
}

const ENDINGS: &[(&str, Half)] = &[
    ("in the morning", Half::Morning),
    ("in the afternoon", Half::Evening),
    ("in the evening", Half::Evening),
    ("at night", Half::Evening),
    ("a.m.", Half::Morning),
    ("p.m.", Half::Evening),
    ("a.m", Half::Morning),
    ("p.m", Half::Evening),
    ("am", Half::Morning),
    ("pm", Half::Evening),
    ("uhr", Half::Whole),
    ("heures", Half::Whole),
];

/// Whether a text says which clock it uses: by a marker, or by an hour beyond twelve.
pub(super) fn evidence(text: &str) -> Option<Clock> {
    let text = text.trim().to_lowercase();
    let marked = ENDINGS.iter().any(|(ending, half)| *half != Half::Whole && text.ends_with(ending));
    let times = read(&text, Clock::Hours24)?;
    if marked { Some(Clock::Hours12) } else { times.iter().any(|time| *time >= 13 * 60).then_some(Clock::Hours24) }
}

/// Reads a text as a time of day.
pub(super) fn read(text: &str, clock: Clock) -> Option<Readings> {
    const LONGEST: usize = 40;
    if text.len() > LONGEST {
        return None;
    }
    let text = text.trim().to_lowercase();
    let text = text.strip_prefix("at ").unwrap_or(&text).trim();
    match text {
        "noon" | "midday" | "12 noon" => return Some(vec![12 * 60]),
        "midnight" | "12 midnight" => return Some(vec![0]),
        _ => {}
    }
    let (mut body, mut half) = (text, None);
    for (prefix, marked) in [
        ("午前", Half::Morning),
        ("午後", Half::Evening),
        ("上午", Half::Morning),
        ("下午", Half::Evening),
        ("오전", Half::Morning),
        ("오후", Half::Evening),
    ] {
        if let Some(rest) = body.strip_prefix(prefix) {
            (body, half) = (rest.trim(), Some(marked));
        }
    }
    for (ending, marked) in ENDINGS {
        if half.is_none()
            && let Some(rest) = body.strip_suffix(ending)
            && (rest.ends_with(|c: char| c.is_ascii_digit() || c.is_whitespace()))
        {
            (body, half) = (rest.trim(), Some(*marked));
        }
    }
    let clocked = body.strip_suffix("o'clock").or_else(|| body.strip_suffix("o’clock"));
    let (hour, minute) = match clocked {
        Some(rest) => (hour(rest.trim())?, 0),
        None => spoken(body).or_else(|| written(body, half.is_some()))?,
    };
    if minute > 59 || hour > 24 || (hour == 24 && minute > 0) {
        return None;
    }
    let at = |hour: u16| (hour % 24) * 60 + minute;
    match half {
        Some(Half::Morning | Half::Evening) if hour > 12 || hour == 0 => None,
        Some(Half::Morning) => Some(vec![at(hour % 12)]),
        Some(Half::Evening) => Some(vec![at(hour % 12 + 12)]),
        None if clock == Clock::Hours12 && (1..=12).contains(&hour) => Some(vec![at(hour % 12), at(hour % 12 + 12)]),
        None | Some(Half::Whole) => Some(vec![at(hour)]),
    }
}

fn hour(word: &str) -> Option<u16> {
    let digits = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok()).flatten();
    digits(word)
        .or_else(|| number_words::small(word).and_then(|value| u16::try_from(value).ok()).filter(|hour| *hour <= 12))
}

/// `half past nine`, `quarter to five`, `ten past six`.
fn spoken(text: &str) -> Option<(u16, u16)> {
    let (minutes, rest, before) = match (text.split_once(" past "), text.split_once(" to ")) {
        (Some((minutes, rest)), _) => (minutes, rest, false),
        (None, Some((minutes, rest))) => (minutes, rest, true),
        (None, None) => return None,
    };
    let minutes = match minutes.trim_start_matches("a ") {
        "half" if !before => 30,
        "quarter" => 15,
        word => u16::try_from(number_words::small(word)?).ok().filter(|minutes| (1..60).contains(minutes))?,
    };
    let hour = hour(rest).filter(|hour| (1..=12).contains(hour))?;
    // A quarter to one is 12:45.
    Some(if before { (if hour == 1 { 12 } else { hour - 1 }, 60 - minutes) } else { (hour, minutes) })
}

/// Digits: `9`, `9:30`, `9:30:00`, `9.30`, `14h30`, `1500 hours`, `3時30分`. Some need to be marked as a time.
fn written(text: &str, marked: bool) -> Option<(u16, u16)> {
    let digits = |part: &str| {
        (!part.is_empty() && part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| part.parse::<u16>().ok())
            .flatten()
    };
    if let Some(rest) = text.strip_suffix("hours").or_else(|| text.strip_suffix("hrs")).map(str::trim)
        && rest.len() == 4
    {
        return Some((digits(&rest[..2])?, digits(rest.get(2..)?)?));
    }
    if let Some((hours, rest)) = text.split_once(['時', '시', '点']) {
        let minutes = rest.trim().trim_end_matches(['分', '분']);
        return Some((digits(hours)?, if minutes.is_empty() { 0 } else { digits(minutes)? }));
    }
    if let Some((hours, minutes)) = text.split_once(['h', ':']) {
        // Seconds say nothing that anybody compares.
        let minutes = match minutes.split_once(':') {
            Some((minutes, seconds)) => {
                minutes.get(..2).filter(|_| digits(seconds.get(..2).unwrap_or(seconds)).is_some())?
            }
            None => minutes,
        };
        return Some((digits(hours)?, digits(minutes).filter(|_| minutes.len() == 2)?));
    }
    if !marked {
        return None;
    }
    match text.split_once('.') {
        Some((hours, minutes)) => Some((digits(hours)?, digits(minutes).filter(|_| minutes.len() == 2)?)),
        None => Some((hour(text)?, 0)),
    }
}
