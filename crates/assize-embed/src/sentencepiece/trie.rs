//! All pieces that begin a text, in order of their length.

/// A tree of bytes; each node's children lie side by side, in order.
#[derive(Debug)]
pub(crate) struct Trie {
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    /// The byte that leads here.
    label: u8,
    /// The piece that ends here, or [`NONE`].
    piece: u32,
    children: u32,
    count: u16,
}

const NONE: u32 = u32::MAX;

impl Trie {
    /// A tree of the pieces, numbered as they come; of equal pieces the last counts, and empty ones do not.
    pub(crate) fn new<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Result<Self, String> {
        let mut sorted: Vec<(&[u8], u32)> = Vec::new();
        for (number, piece) in pieces.enumerate() {
            let number = u32::try_from(number).map_err(|_| "it holds too many pieces")?;
            sorted.push((piece, number));
        }
        sorted.sort_unstable();
        let mut nodes = vec![Node { label: 0, piece: NONE, children: 0, count: 0 }];
        // Nodes whose children are still to be made: the pieces below them, and how many bytes led there.
        let mut open = vec![(0, 0..sorted.len(), 0)];
        while let Some((node, range, depth)) = open.pop() {
            let mut start = range.start;
            while start < range.end && sorted[start].0.len() == depth {
                if depth > 0 {
                    nodes[node].piece = sorted[start].1;
                }
                start += 1;
            }
            let first = nodes.len();
            nodes[node].children = u32::try_from(first).map_err(|_| "its pieces are too long")?;
            while start < range.end {
                let label = sorted[start].0[depth];
                let end = start + sorted[start..range.end].partition_point(|(piece, _)| piece[depth] == label);
                open.push((nodes.len(), start..end, depth + 1));
                nodes.push(Node { label, piece: NONE, children: 0, count: 0 });
                start = end;
            }
            nodes[node].count = (nodes.len() - first) as u16;
        }
        Ok(Self { nodes })
    }

    /// Length and number of each piece that `text` begins with.
    pub(crate) fn prefixes(&self, text: &[u8]) -> impl Iterator<Item = (usize, u32)> {
        let mut node = self.nodes[0];
        text.iter()
            .map_while(move |&byte| {
                let first = node.children as usize;
                let children = &self.nodes[first..first + usize::from(node.count)];
                node = children[children.binary_search_by_key(&byte, |child| child.label).ok()?];
                Some(node.piece)
            })
            .enumerate()
            .filter(|(_, piece)| *piece != NONE)
            .map(|(index, piece)| (index + 1, piece))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn finds_what_a_search_through_all_finds(
            pieces in prop::collection::vec("[abc]{0,4}", 0..30),
            text in "[abcd]{0,8}",
        ) {
            let trie = Trie::new(pieces.iter().map(|piece| piece.as_bytes())).unwrap();
            let mut expected: Vec<(usize, u32)> = Vec::new();
            for length in 1..=text.len() {
                if let Some(number) = pieces.iter().rposition(|piece| *piece == text[..length]) {
                    expected.push((length, number as u32));
                }
            }
            prop_assert_eq!(trie.prefixes(text.as_bytes()).collect::<Vec<_>>(), expected);
        }
    }
}
