//! Currencies and units: the many names of one thing.

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
        "jpy" | "yen" => "JPY",
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

/// A unit of measure by one of its names.
pub(super) fn unit(word: &str) -> Option<&'static str> {
    Some(match word {
        "second" | "seconds" | "sec" | "secs" => "second",
        "minute" | "minutes" | "min" | "mins" => "minute",
        "hour" | "hours" | "hr" | "hrs" => "hour",
        "day" | "days" => "day",
        "week" | "weeks" | "wk" | "wks" => "week",
        "month" | "months" | "mth" | "mths" => "month",
        "year" | "years" | "yr" | "yrs" => "year",
        "mg" | "milligram" | "milligrams" => "mg",
        "g" | "gram" | "grams" => "g",
        "kg" | "kgs" | "kilo" | "kilos" | "kilogram" | "kilograms" => "kg",
        "lb" | "lbs" => "lb",
        "ounce" | "ounces" | "oz" => "oz",
        "ml" | "millilitre" | "millilitres" | "milliliter" | "milliliters" => "ml",
        "l" | "litre" | "litres" | "liter" | "liters" => "l",
        "mm" | "millimetre" | "millimetres" => "mm",
        "cm" | "centimetre" | "centimetres" | "centimeter" | "centimeters" => "cm",
        "metre" | "metres" | "meter" | "meters" => "m",
        "km" | "kilometre" | "kilometres" | "kilometer" | "kilometers" => "km",
        "mile" | "miles" => "mile",
        "foot" | "feet" | "ft" => "ft",
        "inch" | "inches" => "inch",
        "acre" | "acres" => "acre",
        "hectare" | "hectares" | "ha" => "ha",
        "sqft" => "sqft",
        "sqm" | "m²" | "m2" => "sqm",
        "share" | "shares" => "share",
        "unit" | "units" => "unit",
        "person" | "persons" | "people" => "person",
        "child" | "children" | "kids" => "child",
        "point" | "points" => "point",
        _ => return None,
    })
}

/// How often, from one word: `monthly` is per month.
pub(super) fn rate(word: &str) -> Option<&'static str> {
    Some(match word {
        "hourly" => "per hour",
        "daily" => "per day",
        "weekly" | "pw" => "per week",
        "monthly" | "pcm" => "per month",
        "quarterly" => "per quarter",
        "yearly" | "annually" | "annual" | "annum" | "pa" => "per year",
        _ => return None,
    })
}

/// How often, from the word after `per`, `a`, `each`, `every` or `/`.
pub(super) fn rate_of(word: &str) -> Option<&'static str> {
    Some(match unit(word) {
        Some("hour") => "per hour",
        Some("day") => "per day",
        Some("week") => "per week",
        Some("month") => "per month",
        Some("year") => "per year",
        _ if word == "quarter" => "per quarter",
        _ if word == "annum" => "per year",
        _ => return None,
    })
}
