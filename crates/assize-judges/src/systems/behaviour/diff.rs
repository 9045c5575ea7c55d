//! A unified diff of two texts, line by line.

/// Lines of context around a change.
const CONTEXT: usize = 3;
/// Beyond this many lines the middle is shown as replaced as a whole.
const MOST: usize = 3000;

#[derive(Clone, Copy, PartialEq)]
enum Edit {
    Keep,
    Remove,
    Add,
}

/// The difference in unified form; empty where the texts are equal.
pub fn unified(name: &str, old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let edits = edits(&old, &new);
    if edits.iter().all(|(edit, _)| *edit == Edit::Keep) {
        return String::new();
    }
    let mut out = format!("--- {name}\n+++ {name}\n");
    for hunk in hunks(&edits) {
        let before =
            |edit: Edit| edits[..hunk.start].iter().filter(|(other, _)| *other == edit || *other == Edit::Keep).count();
        let within =
            |edit: Edit| edits[hunk.clone()].iter().filter(|(other, _)| *other == edit || *other == Edit::Keep).count();
        out.push_str(&format!(
            "@@ -{},{} +{},{} @@\n",
            before(Edit::Remove) + 1,
            within(Edit::Remove),
            before(Edit::Add) + 1,
            within(Edit::Add)
        ));
        for (edit, line) in &edits[hunk.clone()] {
            out.push(match edit {
                Edit::Keep => ' ',
                Edit::Remove => '-',
                Edit::Add => '+',
            });
            out.push_str(line.trim_end_matches('\r'));
            out.push('\n');
        }
    }
    out
}

fn hunks(edits: &[(Edit, &str)]) -> Vec<std::ops::Range<usize>> {
    let mut hunks: Vec<std::ops::Range<usize>> = Vec::new();
    for at in (0..edits.len()).filter(|at| edits[*at].0 != Edit::Keep) {
        let (start, end) = (at.saturating_sub(CONTEXT), (at + 1 + CONTEXT).min(edits.len()));
        match hunks.last_mut() {
            Some(last) if last.end >= start => last.end = end,
            _ => hunks.push(start..end),
        }
    }
    hunks
}

/// The longest common subsequence between the parts that differ at all.
fn edits<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<(Edit, &'t str)> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let mut edits: Vec<(Edit, &str)> = old[..head].iter().map(|line| (Edit::Keep, *line)).collect();
    if a.len() > MOST || b.len() > MOST {
        edits.extend(a.iter().map(|line| (Edit::Remove, *line)));
        edits.extend(b.iter().map(|line| (Edit::Add, *line)));
    } else {
        let width = b.len() + 1;
        let mut common = vec![0_u32; (a.len() + 1) * width];
        for i in (0..a.len()).rev() {
            for j in (0..b.len()).rev() {
                common[i * width + j] = if a[i] == b[j] {
                    common[(i + 1) * width + j + 1] + 1
                } else {
                    common[(i + 1) * width + j].max(common[i * width + j + 1])
                };
            }
        }
        let (mut i, mut j) = (0, 0);
        while i < a.len() || j < b.len() {
            if i < a.len() && j < b.len() && a[i] == b[j] {
                edits.push((Edit::Keep, a[i]));
                i += 1;
                j += 1;
            } else if j == b.len() || i < a.len() && common[(i + 1) * width + j] >= common[i * width + j + 1] {
                edits.push((Edit::Remove, a[i]));
                i += 1;
            } else {
                edits.push((Edit::Add, b[j]));
                j += 1;
            }
        }
    }
    edits.extend(old[old.len() - tail..].iter().map(|line| (Edit::Keep, *line)));
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_change_stands_in_its_context() {
        assert_eq!(unified("f", "a\nb\n", "a\nb\n"), "");
        let diff = unified("f", "1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nfive\n6\n7\n");
        assert_eq!(diff, "--- f\n+++ f\n@@ -2,5 +2,6 @@\n 2\n 3\n 4\n-5\n+five\n 6\n+7\n");
    }
}
