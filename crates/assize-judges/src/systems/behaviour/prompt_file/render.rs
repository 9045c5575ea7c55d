//! From parts back to text.

use super::{BehaviourPrompt, Block, Item, Part, Passage, Section, SectionKind, WrittenLine};

/// Which of a line's two texts is wanted.
#[derive(Clone, Copy, PartialEq)]
enum View {
    /// The file: everything as written.
    Written,
    /// What a model is shown: no comments.
    Shown,
}

impl View {
    fn of(self, line: &WrittenLine) -> &str {
        match self {
            Self::Written => &line.written,
            Self::Shown => &line.text,
        }
    }
}

pub(super) fn render(prompt: &BehaviourPrompt) -> String {
    let mut out = String::new();
    for part in &prompt.parts {
        match part {
            Part::Separator(line) | Part::Comment(line) => {
                blank_line(&mut out);
                push_line(&mut out, 0, &line.written);
            }
            Part::Section(section) => render_section(section, View::Written, &mut out),
        }
    }
    out
}

pub(super) fn rubric_text(prompt: &BehaviourPrompt) -> String {
    let mut out = String::new();
    for section in prompt.sections().filter(|section| section.kind.is_rubric()) {
        render_section(section, View::Shown, &mut out);
    }
    out
}

pub(super) fn blocks_as_text(blocks: &[Block]) -> String {
    let mut out = String::new();
    render_blocks(blocks, View::Shown, &mut out);
    out.trim().to_owned()
}

pub(super) fn blocks_as_written(blocks: &[Block]) -> String {
    let mut out = String::new();
    render_blocks(blocks, View::Written, &mut out);
    out
}

fn render_section(section: &Section, view: View, out: &mut String) {
    let mut blocks = section.blocks.as_slice();
    // `Include:` and `Ignore:` stand directly under the scope.
    if !matches!(section.kind, SectionKind::Include | SectionKind::Ignore) {
        blank_line(out);
    }
    if let Some(heading) = &section.heading {
        out.push_str(view.of(heading));
        // The id and the system block start on the line of their heading.
        if matches!(section.kind, SectionKind::Behaviour | SectionKind::System)
            && let Some((Block::Paragraph(first), rest)) = blocks.split_first()
        {
            out.push(' ');
            render_lines(first, view, 0, out);
            blocks = rest;
            if !blocks.is_empty() {
                blank_line(out);
            }
        } else {
            out.push('\n');
        }
    }
    render_blocks(blocks, view, out);
}

fn render_blocks(blocks: &[Block], view: View, out: &mut String) {
    for (index, block) in blocks.iter().enumerate() {
        match block {
            Block::Paragraph(passage) => {
                if index > 0 {
                    blank_line(out);
                }
                render_lines(passage, view, 0, out);
            }
            Block::Item(item) => {
                if index > 0 && matches!(blocks[index - 1], Block::Paragraph(_)) {
                    blank_line(out);
                }
                render_item(item, view, 0, out);
            }
            Block::Comment(line) if view == View::Written => push_line(out, 0, &line.written),
            Block::Comment(_) => {}
        }
    }
}

fn render_item(item: &Item, view: View, depth: usize, out: &mut String) {
    indent(out, depth);
    out.push_str(&item.mark);
    if item.text.lines.is_empty() {
        out.push('\n');
    } else {
        out.push(' ');
        render_lines(&item.text, view, depth + 1, out);
    }
    for child in &item.children {
        render_item(child, view, depth + 1, out);
    }
}

/// Lines of one passage; the first goes on where the output stands.
fn render_lines(passage: &Passage, view: View, depth: usize, out: &mut String) {
    let lines = passage.lines.iter().map(|line| view.of(line)).filter(|text| !text.is_empty());
    for (index, text) in lines.enumerate() {
        if index > 0 {
            indent(out, depth);
        }
        out.push_str(text);
        out.push('\n');
    }
}

fn push_line(out: &mut String, depth: usize, text: &str) {
    indent(out, depth);
    out.push_str(text);
    out.push('\n');
}

fn indent(out: &mut String, depth: usize) {
    for _ in 0..depth {
        out.push_str("  ");
    }
}

fn blank_line(out: &mut String) {
    if !out.is_empty() && !out.ends_with("\n\n") {
        if !out.ends_with('\n') {
            out.push('\n');
        }
        out.push('\n');
    }
}
