//! Addresses of pages, in one place: whoever links to a page asks here.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::fmt::Write as _;

/// The page of a run.
pub(super) fn run(id: &str) -> String {
    format!("/runs/{}", encoded(id))
}

/// The page that shows how a run is getting on.
pub(super) fn live(run_id: &str) -> String {
    format!("{}/live", run(run_id))
}

/// The page of a case in a run, by its position.
pub(super) fn case(run_id: &str, position: u32) -> String {
    format!("{}/cases/{position}", run(run_id))
}

/// All but the characters that RFC 3986 leaves unreserved.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A path or a value as part of an address.
pub(super) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// An address with a query; what is empty is left out, so that the same list has one address.
pub(super) fn with_query<'a>(path: &str, query: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let mut address = path.to_owned();
    let mut mark = '?';
    for (name, value) in query {
        if !value.is_empty() {
            let _ = write!(address, "{mark}{}={}", encoded(name), encoded(&value));
            mark = '&';
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_holds_whatever_it_is_given() {
        let query = [("q", "a&b=c d/é".to_owned()), ("sort", String::new())];
        assert_eq!(with_query("/runs", query), "/runs?q=a%26b%3Dc%20d%2F%C3%A9");
        assert_eq!(run("../x"), "/runs/..%2Fx");
    }
}
