//! The query of a case's address: the list the reader came from, and what of the case is wanted.

use crate::links;

/// The query of a request, in its order.
#[derive(Clone, Debug, Default)]
pub(super) struct CaseAddress {
    /// The list's own: how it is filtered and sorted.
    pub(super) list: Vec<(String, String)>,
    /// Whether long texts are shown to their end.
    pub(super) whole: bool,
    /// The juror whose judgment is looked at.
    pub(super) juror: String,
}

impl CaseAddress {
    pub(super) fn read(query: Vec<(String, String)>) -> Self {
        let mut read = Self::default();
        for (name, value) in query {
            match name.as_str() {
                "whole" => read.whole = value == "1",
                "juror" => read.juror = value,
                _ => read.list.push((name, value)),
            }
        }
        read
    }

    /// The list the reader came from.
    pub(super) fn up(&self, run: &str) -> String {
        format!("{}#cases", self.with_list(&links::run(run), []))
    }

    /// Another case of the list.
    pub(super) fn case(&self, run: &str, position: u32) -> String {
        self.with_list(&links::case(run, position), [])
    }

    /// The same case with long texts to their end.
    pub(super) fn all_of_it(&self, run: &str, position: u32) -> String {
        self.with_list(&links::case(run, position), [("whole", "1".to_owned()), ("juror", self.juror.clone())])
    }

    /// The same case as a juror saw it.
    pub(super) fn juror(&self, run: &str, position: u32, juror: &str) -> String {
        self.with_list(&links::case(run, position), [("juror", juror.to_owned())])
    }

    fn with_list<const N: usize>(&self, path: &str, own: [(&str, String); N]) -> String {
        let list = self.list.iter().map(|(name, value)| (name.as_str(), value.clone()));
        links::with_query(path, list.chain(own))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_stays_in_every_address() {
        let pairs = [("q", "a b"), ("whole", "1"), ("flag", "x"), ("flag", "y"), ("juror", "openai:gpt")];
        let address = CaseAddress::read(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec());
        assert!(address.whole);
        assert_eq!(address.up("r1"), "/runs/r1?q=a%20b&flag=x&flag=y#cases");
        assert_eq!(address.case("r1", 7), "/runs/r1/cases/7?q=a%20b&flag=x&flag=y");
        assert_eq!(address.all_of_it("r1", 7), "/runs/r1/cases/7?q=a%20b&flag=x&flag=y&whole=1&juror=openai%3Agpt");
        assert_eq!(address.juror("r1", 7, ""), "/runs/r1/cases/7?q=a%20b&flag=x&flag=y");
    }
}
