//! What a field's name says of its values: whether they are amounts, names, identifiers, doses.

/// What kind of value a field holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FieldKind {
    /// The name does not say.
    #[default]
    General,
    /// How much or how many: a bare `1995` is not a year here.
    Amount,
    /// Digits that name something (a phone, an account, a room): they are compared digit by digit.
    Identifier,
    /// A version or an address of a machine: compared as written.
    Exact,
    /// The name of a person: the order of its parts is a matter of form.
    Name,
    /// A percentage: a bare 5 is 5 %.
    Percent,
    /// A share of one: a bare 0.05 is 5 %.
    Share,
    /// A dose, a strength or how often it is taken.
    Dose,
}

const IDENTIFIERS: &[&str] = &[
    "phone",
    "telephone",
    "tel",
    "mobile",
    "cell",
    "fax",
    "zip",
    "zipcode",
    "postcode",
    "iban",
    "bic",
    "swift",
    "ssn",
    "nino",
    "isin",
    "id",
    "ids",
    "uuid",
    "reference",
    "ref",
    "pin",
    "sku",
    "passport",
    "room",
    "flat",
    "apartment",
    "apt",
    "suite",
    "floor",
    "seat",
    "gate",
    "platform",
    "extension",
    "ext",
    "order",
    "ticket",
    "invoice",
    "flight",
    "plate",
    "isbn",
    "ein",
    "vin",
    "mrn",
    "bed",
    "ward",
    "house",
    "page",
    "chapter",
    "line",
    "route",
    "bus",
    "channel",
    "serial",
    "barcode",
    "badge",
    "locker",
    "docket",
];
/// At the end of a longer name: `account number`, `sort code`.
const IDENTIFIER_ENDINGS: &[&str] = &["number", "code", "no", "nr", "num"];
const EXACT: &[&str] = &["version", "release", "build", "ip", "mac"];
const NAMES: &[&str] = &[
    "name",
    "person",
    "patient",
    "client",
    "customer",
    "doctor",
    "physician",
    "author",
    "employee",
    "manager",
    "spouse",
    "partner",
    "owner",
    "contact",
    "caller",
    "agent",
    "speaker",
    "beneficiary",
    "guardian",
    "witness",
    "surname",
    "attendee",
    "student",
    "teacher",
];
const DOSES: &[&str] = &["dose", "dosage", "strength", "concentration", "frequency"];
const PERCENTS: &[&str] = &["percent", "percentage", "pct"];
const SHARES: &[&str] = &["share", "fraction", "ratio", "proportion", "probability", "likelihood"];
const AMOUNTS: &[&str] = &[
    "amount",
    "value",
    "price",
    "cost",
    "balance",
    "salary",
    "income",
    "pay",
    "wage",
    "wages",
    "earnings",
    "total",
    "sum",
    "fee",
    "fees",
    "payment",
    "rent",
    "premium",
    "budget",
    "revenue",
    "profit",
    "debt",
    "loan",
    "mortgage",
    "deposit",
    "limit",
    "allowance",
    "pension",
    "savings",
    "worth",
    "tax",
    "bill",
    "charge",
    "charges",
    "fine",
    "rate",
    "count",
    "quantity",
    "qty",
    "size",
    "area",
    "length",
    "width",
    "height",
    "weight",
    "distance",
    "mileage",
    "volume",
    "calories",
    "steps",
    "capacity",
    "population",
    "speed",
    "score",
    "points",
    "power",
    "amounts",
    "spend",
    "spending",
    "turnover",
    "assets",
    "equity",
    "contribution",
    "discount",
    "refund",
    "duration",
    "age",
];

impl FieldKind {
    /// The kind of a field by its name, in lower case with spaces between its words. The last word says what it is: a phone
    /// bill is an amount.
    pub fn of_name(name: &str) -> Self {
        let mut words = name.rsplit(' ');
        let last = words.next().unwrap_or_default();
        let longer = words.next().is_some();
        let of = |list: &[&str]| list.contains(&last);
        if of(EXACT) || name == "ip address" {
            Self::Exact
        } else if of(IDENTIFIERS) || (longer && of(IDENTIFIER_ENDINGS)) {
            Self::Identifier
        } else if of(DOSES) {
            Self::Dose
        } else if of(PERCENTS) {
            Self::Percent
        } else if of(SHARES) {
            Self::Share
        } else if of(AMOUNTS) || name.starts_with("number of ") {
            Self::Amount
        } else if of(NAMES) {
            Self::Name
        } else {
            Self::General
        }
    }
}
