//! One-to-one assignment: the most pairs, and among these the closest.
//!
//! The pairs fall apart into groups that share no fact; each is solved by itself with the Hungarian method on whole
//! numbers, so that ties are exact. A tie goes to a fact that is still free, which makes the common worst case, many
//! facts that are all alike, cost one look at each pair.

use std::collections::{HashMap, HashSet};

/// Two things that may be assigned to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The place on the left.
    pub left: u32,
    /// The place on the right.
    pub right: u32,
    /// How close they are, from 0 to 1.
    pub closeness: f32,
}

/// Groups with more cells than this are taken closest pair first: the table would not fit in memory.
const MOST_CELLS: usize = 16_000_000;

/// How finely closeness is told apart.
const STEPS: f32 = 1_000_000.0;

/// One-to-one assignment: the places of the chosen candidates, the most of them, and among these the closest.
pub fn assign(edges: &[Candidate]) -> Vec<usize> {
    let mut chosen = Vec::new();
    for group in groups(edges) {
        match group.as_slice() {
            [only] => chosen.push(*only),
            _ => chosen.extend(solve(edges, &group)),
        }
    }
    chosen.sort_unstable();
    chosen
}

/// The edges in groups that share no fact, each in its given order.
fn groups(edges: &[Candidate]) -> Vec<Vec<usize>> {
    let mut parent: Vec<usize> = (0..edges.len()).collect();
    fn root(parent: &mut [usize], mut place: usize) -> usize {
        while parent[place] != place {
            parent[place] = parent[parent[place]];
            place = parent[place];
        }
        place
    }
    let (mut of_left, mut of_right) = (HashMap::new(), HashMap::new());
    for (place, edge) in edges.iter().enumerate() {
        for seen in [*of_left.entry(edge.left).or_insert(place), *of_right.entry(edge.right).or_insert(place)] {
            let (one, other) = (root(&mut parent, place), root(&mut parent, seen));
            parent[one.max(other)] = one.min(other);
        }
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of: HashMap<usize, usize> = HashMap::new();
    for place in 0..edges.len() {
        let root = root(&mut parent, place);
        let group = *group_of.entry(root).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(place);
    }
    groups
}

fn solve(edges: &[Candidate], group: &[usize]) -> Vec<usize> {
    let mut rows: Vec<u32> = group.iter().map(|place| edges[*place].left).collect();
    let mut columns: Vec<u32> = group.iter().map(|place| edges[*place].right).collect();
    for side in [&mut rows, &mut columns] {
        side.sort_unstable();
        side.dedup();
    }
    if rows.len().saturating_mul(columns.len()) > MOST_CELLS {
        return closest_first(edges, group);
    }
    // The method wants no more rows than columns.
    let turned = rows.len() > columns.len();
    let (short, long) = if turned { (&columns, &rows) } else { (&rows, &columns) };
    let place_in = |side: &[u32], fact: u32| side.binary_search(&fact).expect("the sides hold every fact of the edges");
    // A pair is worth more than all closeness together, so that the number of pairs comes first.
    let pair = (short.len() as i64 + 1) * (STEPS as i64 + 1);
    let mut gain = vec![0i64; short.len() * long.len()];
    let mut edge_at = vec![u32::MAX; short.len() * long.len()];
    for &place in group {
        let edge = &edges[place];
        let (row, column) = if turned { (edge.right, edge.left) } else { (edge.left, edge.right) };
        let cell = place_in(short, row) * long.len() + place_in(long, column);
        gain[cell] = pair + (edge.closeness * STEPS) as i64;
        edge_at[cell] = place as u32;
    }
    let columns = hungarian(&gain, short.len(), long.len());
    columns
        .iter()
        .enumerate()
        .filter_map(|(row, column)| {
            Some(edge_at[row * long.len() + column]).filter(|place| *place != u32::MAX).map(|place| place as usize)
        })
        .collect()
}

fn closest_first(edges: &[Candidate], group: &[usize]) -> Vec<usize> {
    let mut order = group.to_vec();
    order.sort_by(|one, other| edges[*other].closeness.total_cmp(&edges[*one].closeness).then(one.cmp(other)));
    let (mut lefts, mut rights) = (HashSet::new(), HashSet::new());
    order.retain(|place| {
        let edge = &edges[*place];
        let free = !lefts.contains(&edge.left) && !rights.contains(&edge.right);
        free && lefts.insert(edge.left) && rights.insert(edge.right)
    });
    order
}

/// The column of each row in the assignment with the highest gain; rows may not outnumber columns.
fn hungarian(gain: &[i64], rows: usize, columns: usize) -> Vec<usize> {
    // Rows and columns from 1; 0 stands for "none", as in the usual formulation by potentials.
    let (mut row_potential, mut column_potential) = (vec![0i64; rows + 1], vec![0i64; columns + 1]);
    let mut row_of = vec![0usize; columns + 1];
    let mut way = vec![0usize; columns + 1];
    let (mut least, mut used) = (vec![0i64; columns + 1], vec![false; columns + 1]);
    for row in 1..=rows {
        row_of[0] = row;
        least.fill(i64::MAX);
        used.fill(false);
        let mut column = 0;
        loop {
            used[column] = true;
            let current = row_of[column];
            let costs = &gain[(current - 1) * columns..current * columns];
            let (mut delta, mut next) = (i64::MAX, 0);
            for candidate in 1..=columns {
                if used[candidate] {
                    continue;
                }
                let reduced = -costs[candidate - 1] - row_potential[current] - column_potential[candidate];
                if reduced < least[candidate] {
                    least[candidate] = reduced;
                    way[candidate] = column;
                }
                let closer = least[candidate] < delta;
                let as_close_and_free = least[candidate] == delta && row_of[candidate] == 0 && row_of[next] != 0;
                if closer || as_close_and_free {
                    delta = least[candidate];
                    next = candidate;
                }
            }
            for other in 0..=columns {
                if used[other] {
                    row_potential[row_of[other]] += delta;
                    column_potential[other] -= delta;
                } else if least[other] != i64::MAX {
                    least[other] -= delta;
                }
            }
            column = next;
            if row_of[column] == 0 {
                break;
            }
        }
        while column != 0 {
            row_of[column] = row_of[way[column]];
            column = way[column];
        }
    }
    let mut column_of = vec![usize::MAX; rows];
    for column in 1..=columns {
        if row_of[column] > 0 {
            column_of[row_of[column] - 1] = column - 1;
        }
    }
    column_of
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(list: &[(u32, u32, f32)]) -> Vec<Candidate> {
        list.iter().map(|&(left, right, closeness)| Candidate { left, right, closeness }).collect()
    }

    /// The best that trying everything finds: pairs first, then closeness.
    fn best(edges: &[Candidate]) -> (usize, i64) {
        fn search(edges: &[Candidate], used: &mut Vec<usize>) -> (usize, i64) {
            let Some((edge, rest)) = edges.split_first() else {
                return (0, 0);
            };
            let mut best = search(rest, used);
            let (one, other) = (edge.left as usize, 1000 + edge.right as usize);
            if !used.contains(&one) && !used.contains(&other) {
                used.extend([one, other]);
                let (pairs, closeness) = search(rest, used);
                used.truncate(used.len() - 2);
                best = best.max((pairs + 1, closeness + (edge.closeness * STEPS) as i64));
            }
            best
        }
        search(edges, &mut Vec::new())
    }

    #[test]
    fn taking_the_closest_first_would_lose_a_pair() {
        let edges = edges(&[(0, 0, 0.99), (0, 1, 0.9), (1, 0, 0.8)]);
        assert_eq!(assign(&edges), [1, 2]);
    }

    #[test]
    fn as_good_as_trying_everything() {
        let mut state = 7u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        for _ in 0..400 {
            let mut list: Vec<(u32, u32, f32)> = Vec::new();
            for _ in 0..next(12) + 1 {
                let (one, other) = (next(5) as u32, next(4) as u32);
                if !list.iter().any(|edge| (edge.0, edge.1) == (one, other)) {
                    list.push((one, other, next(4) as f32 / 4.0));
                }
            }
            let edges = edges(&list);
            let chosen = assign(&edges);
            let closeness: i64 = chosen.iter().map(|place| (edges[*place].closeness * STEPS) as i64).sum();
            assert_eq!((chosen.len(), closeness), best(&edges), "{list:?}");
        }
    }
}
