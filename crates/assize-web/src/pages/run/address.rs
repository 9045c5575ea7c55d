//! The list of cases in an address: the same link shows the same list.

use crate::links;
use assize_engine::listing::{CaseQuery, Mark, Sort};

/// As many cases as one page of the list shows.
pub(crate) const PAGE: usize = 50;

/// A list of cases as an address names it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ListAddress {
    /// Which cases, in which order.
    pub(crate) query: CaseQuery,
    /// Which page of them, from 0.
    pub(crate) page: usize,
}

impl ListAddress {
    /// Reads the query of an address. What it does not know it leaves out: a link from a newer page still shows a list.
    pub(crate) fn read(pairs: Vec<(String, String)>) -> Self {
        let mut address = Self::default();
        for (name, value) in pairs {
            if value.is_empty() {
                continue;
            }
            let wanted = &mut address.query;
            match name.as_str() {
                "q" => wanted.search = value,
                "status" => wanted.statuses.push(value),
                "model" => wanted.models.push(value),
                "verdict" => wanted.verdicts.push(value),
                "flag" => wanted.flags.push(value),
                "tag" => wanted.tags.push(value),
                "mark" => wanted.marks.extend(value.parse::<Mark>()),
                "sort" => {
                    let (descending, name) =
                        value.strip_prefix('-').map_or((false, value.as_str()), |name| (true, name));
                    if let Some(sort) = Sort::named(name) {
                        (wanted.sort, wanted.descending) = (sort, descending);
                    }
                }
                "page" => address.page = value.parse::<usize>().unwrap_or(1).saturating_sub(1),
                _ => {}
            }
        }
        address
    }

    /// The name and value of everything it asks for.
    fn parts(&self) -> Vec<(&'static str, String)> {
        let query = &self.query;
        let mut parts = vec![("q", query.search.trim().to_owned())];
        for (name, values) in [
            ("status", &query.statuses),
            ("model", &query.models),
            ("verdict", &query.verdicts),
            ("flag", &query.flags),
            ("tag", &query.tags),
        ] {
            parts.extend(values.iter().map(|value| (name, value.clone())));
        }
        parts.extend(query.marks.iter().map(|mark| ("mark", mark.name().to_owned())));
        let sort = query.sort.name();
        parts.push((
            "sort",
            match (query.descending, sort.as_str()) {
                (true, "") => "-position".to_owned(),
                (true, name) => format!("-{name}"),
                (false, name) => name.to_owned(),
            },
        ));
        parts.push(("page", if self.page == 0 { String::new() } else { (self.page + 1).to_string() }));
        parts
    }

    /// The list under a path.
    pub(crate) fn under(&self, path: &str) -> String {
        links::with_query(path, self.parts())
    }

    /// What a form must carry so that searching keeps the filters: everything but the search and the page.
    pub(super) fn carried(&self) -> Vec<(&'static str, String)> {
        self.parts().into_iter().filter(|(name, value)| !matches!(*name, "q" | "page") && !value.is_empty()).collect()
    }

    /// The same list from its beginning with something changed.
    pub(super) fn changed(&self, change: impl FnOnce(&mut CaseQuery)) -> Self {
        let mut address = Self { query: self.query.clone(), page: 0 };
        change(&mut address.query);
        address
    }
}

/// Puts a value into a list, or takes it out if it is there.
pub(super) fn toggle<T: PartialEq>(values: &mut Vec<T>, value: T) {
    match values.iter().position(|known| *known == value) {
        Some(at) => _ = values.remove(at),
        None => values.push(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::extract::Query;

    fn read(query: &str) -> ListAddress {
        let uri = format!("/?{query}").parse().expect("an address");
        let Query(pairs) = Query::try_from_uri(&uri).expect("a query");
        ListAddress::read(pairs)
    }

    #[test]
    fn an_address_says_what_it_was_made_from() {
        let written = "q=angry%20caller&status=failed&model=a%26b&model=c&flag=x&mark=near&sort=-%3Dqa.score&page=3";
        let address = read(written);
        assert_eq!(address.query.models, ["a&b", "c"]);
        assert_eq!(address.query.sort, Sort::Metric("qa.score".into()));
        assert_eq!((address.page, address.query.descending), (2, true));
        assert_eq!(address.under("/runs/r"), format!("/runs/r?{written}"));
        assert_eq!(read("").under("/runs/r"), "/runs/r");
        assert_eq!(read("sort=-position").under("/r"), "/r?sort=-position");
        assert_eq!(read("page=x&mark=none&new=1&sort=what"), ListAddress::default());
    }
}
