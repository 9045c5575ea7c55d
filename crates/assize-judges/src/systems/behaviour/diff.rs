//! A unified diff of two texts, line by line.

use similar::TextDiff;

/// The difference in unified form; empty where the texts are equal. Line endings are not compared.
pub fn unified(name: &str, old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    TextDiff::from_slices(&old, &new).unified_diff().header(name, name).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_change_stands_in_its_context() {
        assert_eq!(unified("f", "a\nb\n", "a\r\nb"), "");
        let diff = unified("f", "1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nfive\n6\n7\n");
        assert_eq!(diff, "--- f\n+++ f\n@@ -2,5 +2,6 @@\n 2\n 3\n 4\n-5\n+five\n 6\n+7\n");
    }

    #[test]
    fn changes_far_apart_are_hunks_of_their_own() {
        let old = "a\n1\n2\n3\n4\n5\n6\n7\nb\n";
        assert_eq!(
            unified("f", old, &old.replace('a', "A").replace('b', "B")),
            "--- f\n+++ f\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n"
        );
    }
}
