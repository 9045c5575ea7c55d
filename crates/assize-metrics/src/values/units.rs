//! Currencies and units: the many names of one thing.

use super::decimal::Decimal;

/// What a currency sign, code or word stands for. `$`, `¥` and `kr` are shared by several currencies and stay as they are.
pub(super) fn currency(word: &str) -> Option<&'static str> {
    Some(match word {
        "$" | "dollar" | "dollars" | "buck" | "bucks" => "$",
        "us$" | "usd" => "USD",
        "a$" | "aud" => "AUD",
        "c$" | "cad" => "CAD",
        "nzd" => "NZD",
        "sgd" => "SGD",
        "hkd" => "HKD",
        "€" | "eur" | "euro" | "euros" => "EUR",
        "£" | "gbp" | "pound" | "pounds" | "quid" | "sterling" => "GBP",
        "¥" => "¥",
        "元" => "CNY",
        "jpy" | "yen" | "円" => "JPY",
        "cny" | "rmb" | "yuan" => "CNY",
        "₹" | "inr" | "rs" | "rupee" | "rupees" => "INR",
        "chf" | "franc" | "francs" => "CHF",
        "kr" => "kr",
        "sek" => "SEK",
        "nok" => "NOK",
        "dkk" => "DKK",
        "₩" | "krw" | "won" => "KRW",
        "₽" | "rub" | "rouble" | "roubles" | "ruble" | "rubles" => "RUB",
        "zł" | "pln" | "zloty" => "PLN",
        "₺" | "try" | "lira" => "TRY",
        "r$" | "brl" | "real" | "reais" => "BRL",
        "₿" | "btc" => "BTC",
        "zar" | "rand" => "ZAR",
        "mxn" => "MXN",
        _ => return None,
    })
}

/// Whether two currencies can be the same: equal, or a shared sign and one of those that use it.
pub(super) fn same_currency(one: &str, other: &str) -> bool {
    let uses = |sign: &str, code: &str| match sign {
        "$" => matches!(code, "USD" | "AUD" | "CAD" | "NZD" | "SGD" | "HKD" | "MXN"),
        "¥" => matches!(code, "JPY" | "CNY"),
        "kr" => matches!(code, "SEK" | "NOK" | "DKK"),
        _ => false,
    };
    one == other || uses(one, other) || uses(other, one)
}

/// A unit of measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unit {
    /// What it measures. Units that measure the same convert into each other.
    pub(super) measures: &'static str,
    /// How many of the smallest unit of its kind it is.
    size: (i128, i32),
    /// It is what medicines are measured in.
    pub(super) dose: bool,
}

impl Unit {
    /// So many of this unit, in the smallest unit of its kind.
    pub(super) fn convert(self, value: Decimal) -> Option<Decimal> {
        value.times(Decimal::new(self.size.0, self.size.1))
    }

    /// Metres, which are written as millions are.
    pub(super) fn metre() -> Self {
        unit("metre").expect("a unit in the list")
    }
}

/// Names, what they measure, and how many of the smallest unit of that kind one is.
type Row = (&'static [&'static str], &'static str, (i128, i32));

const UNITS: &[Row] = &[
    (&["ms", "millisecond", "milliseconds"], "time", (1, 0)),
    (&["s", "second", "seconds", "sec", "secs"], "time", (1, 3)),
    (&["minute", "minutes", "min", "mins"], "time", (60, 3)),
    (&["h", "hour", "hours", "hr", "hrs"], "time", (3600, 3)),
    (&["d", "day", "days"], "time", (86_400, 3)),
    (&["week", "weeks", "wk", "wks"], "time", (604_800, 3)),
    // No number of days is a month, so months and years are apart.
    (&["month", "months", "mth", "mths", "mo"], "months", (1, 0)),
    (&["quarter", "quarters"], "months", (3, 0)),
    (&["year", "years", "yr", "yrs", "歳", "岁"], "months", (12, 0)),
    (&["ng", "nanogram", "nanograms"], "mass", (1, 0)),
    (&["mcg", "ug", "μg", "µg", "microgram", "micrograms"], "mass", (1, 3)),
    (&["mg", "mgs", "milligram", "milligrams", "milligramme", "milligrammes"], "mass", (1, 6)),
    (&["g", "gr", "gram", "grams", "gramme", "grammes"], "mass", (1, 9)),
    (&["kg", "kgs", "kilo", "kilos", "kilogram", "kilograms"], "mass", (1, 12)),
    (&["tonne", "tonnes"], "mass", (1, 15)),
    (&["oz", "ounce", "ounces"], "mass", (28_349_523_125, 0)),
    (&["lb", "lbs"], "mass", (45_359_237, 4)),
    (&["stone"], "mass", (635_029_318, 4)),
    (&["ml", "cc", "millilitre", "millilitres", "milliliter", "milliliters"], "volume", (1, 0)),
    (&["cl", "centilitre", "centilitres"], "volume", (1, 1)),
    (&["dl", "decilitre", "deciliter"], "volume", (1, 2)),
    (&["l", "litre", "litres", "liter", "liters"], "volume", (1, 3)),
    (&["mm", "millimetre", "millimetres", "millimeter", "millimeters"], "length", (1, 0)),
    (&["cm", "centimetre", "centimetres", "centimeter", "centimeters"], "length", (1, 1)),
    (&["metre", "metres", "meter", "meters"], "length", (1, 3)),
    (&["km", "kilometre", "kilometres", "kilometer", "kilometers"], "length", (1, 6)),
    (&["in", "inch", "inches"], "length", (254, -1)),
    (&["foot", "feet", "ft"], "length", (3048, -1)),
    (&["yard", "yards", "yd"], "length", (9144, -1)),
    (&["mile", "miles", "mi"], "length", (1_609_344, 0)),
    (&["sqm", "m²", "m2"], "area", (1, 0)),
    (&["hectare", "hectares", "ha"], "area", (1, 4)),
    (&["sqft"], "area in feet", (1, 0)),
    (&["acre", "acres"], "area in feet", (43_560, 0)),
    (&["kb", "kilobyte", "kilobytes"], "storage", (1, 3)),
    (&["mb", "megabyte", "megabytes"], "storage", (1, 6)),
    (&["gb", "gigabyte", "gigabytes"], "storage", (1, 9)),
    (&["tb", "terabyte", "terabytes"], "storage", (1, 12)),
    (&["kwh"], "energy", (1, 0)),
    (&["kcal", "calorie", "calories"], "food energy", (1, 0)),
    (&["celsius", "c"], "celsius", (1, 0)),
    (&["fahrenheit", "f"], "fahrenheit", (1, 0)),
    (&["mmhg"], "pressure", (1, 0)),
    (&["bpm"], "pulse", (1, 0)),
    (&["mmol"], "substance", (1, 0)),
    (&["mol"], "substance", (1, 3)),
    (&["meq"], "equivalents", (1, 0)),
    (&["mph"], "mph", (1, 0)),
    (&["share", "shares"], "share", (1, 0)),
    (&["unit", "units", "iu"], "unit", (1, 0)),
    (&["person", "persons", "people"], "person", (1, 0)),
    (&["child", "children", "kids"], "child", (1, 0)),
    (&["point", "points"], "point", (1, 0)),
    (&["tablet", "tablets", "tab", "tabs", "pill", "pills"], "tablet", (1, 0)),
    (&["capsule", "capsules"], "capsule", (1, 0)),
    (&["drop", "drops"], "drop", (1, 0)),
    (&["puff", "puffs"], "puff", (1, 0)),
    (&["time", "times"], "time of doing", (1, 0)),
];

/// A unit of measure by one of its names.
pub(super) fn unit(word: &str) -> Option<Unit> {
    let (names, measures, size) = UNITS.iter().find(|(names, ..)| names.contains(&word))?;
    let dose = matches!(*measures, "tablet" | "capsule" | "drop" | "puff" | "unit" | "substance" | "equivalents")
        || (matches!(*measures, "mass" | "volume") && ["mcg", "mg", "ng", "ml"].contains(&names[0]));
    Some(Unit { measures, size: *size, dose })
}

/// How often, from one word: `monthly` is per month.
pub(super) fn rate(word: &str) -> Option<&'static str> {
    Some(match word {
        "hourly" => "per hour",
        "daily" | "qd" | "od" => "per day",
        "bid" => "twice per day",
        "tid" => "three times per day",
        "qid" => "four times per day",
        "weekly" | "pw" => "per week",
        "monthly" | "pcm" => "per month",
        "quarterly" => "per quarter",
        "yearly" | "annually" | "annual" | "annum" | "pa" => "per year",
        _ => return None,
    })
}

/// What it is by, from the word after `per`, `a`, `each`, `every` or `/`.
pub(super) fn rate_of(word: &str) -> Option<&'static str> {
    const RATES: &[(&[&str], &str)] = &[
        (&["h", "hour", "hours", "hr"], "per hour"),
        (&["d", "day", "days"], "per day"),
        (&["week", "weeks", "wk"], "per week"),
        (&["month", "months", "mth", "mo"], "per month"),
        (&["quarter"], "per quarter"),
        (&["year", "years", "yr", "annum"], "per year"),
        (&["s", "second", "sec"], "per second"),
        (&["min", "minute"], "per minute"),
        (&["ml", "millilitre", "milliliter"], "per ml"),
        (&["dl", "decilitre", "deciliter"], "per dl"),
        (&["l", "litre", "liter"], "per l"),
        (&["kg", "kilo", "kilogram"], "per kg"),
        (&["g", "gram"], "per g"),
        (&["mg", "milligram"], "per mg"),
        (&["m²", "m2", "sqm"], "per sqm"),
        (&["person"], "per person"),
        (&["unit"], "per unit"),
        (&["share"], "per share"),
        (&["tablet"], "per tablet"),
    ];
    RATES.iter().find(|(names, _)| names.contains(&word)).map(|(_, rate)| *rate)
}
