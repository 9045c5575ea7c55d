//! Case files of every format, right and wrong.

use super::*;
use assize_core::InputKind;

fn inputs() -> Vec<InputSpec> {
    vec![
        InputSpec::required("reference", InputKind::Text, "what was said"),
        InputSpec::required("transcript", InputKind::Text, "what was heard"),
    ]
}

fn read_with(name: &str, content: impl AsRef<[u8]>, columns: &ColumnMap) -> (Vec<Case>, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(name), content).expect("written");
    let mut problems = Problems::of("suite.yaml");
    let pattern = Placed { value: name.to_owned(), span: Span::at(1, 1) };
    let files = Files::Folder(folder.path().to_owned());
    let found = CaseFiles::find(&files, &[pattern], columns, &inputs(), &mut problems).expect("found");
    let (mut cases, mut wrong) = (Vec::new(), Vec::new());
    let prefix = format!("{}/", folder.path().display());
    for case in found.iter() {
        match case {
            Ok(case) => cases.push(case),
            Err(list) => wrong.extend(list.iter().map(|problem| problem.to_string().replace(&prefix, ""))),
        }
    }
    (cases, wrong)
}

fn read(name: &str, content: impl AsRef<[u8]>) -> (Vec<Case>, Vec<String>) {
    read_with(name, content, &ColumnMap::default())
}

#[test]
fn every_format_gives_the_same_cases() {
    let jsonl = "\u{feff}{\"id\": \"a\", \"reference\": \"x y\", \"transcript\": \"\"}\n\n{\"id\": \"b\", \"reference\": \"ü\", \"transcript\": \"z\"}";
    let json = "[\n {\"id\": \"a\", \"reference\": \"x y\", \"transcript\": \"\"},\n {\"id\": \"b\", \"reference\": \"ü\", \"transcript\": \"z\"}\n]";
    let yaml = "- id: a\n  reference: x y\n  transcript: ''\n- {id: b, reference: ü, transcript: z}\n";
    let csv = "id,reference,transcript\na,x y,\nb,ü,z\n";
    let (expected, wrong) = read("c.jsonl", jsonl);
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(expected.len(), 2);
    for (name, content) in [("c.json", json), ("c.yaml", yaml), ("c.csv", csv)] {
        assert_eq!(read(name, content), (expected.clone(), Vec::new()), "{name}");
    }
}

#[test]
fn mistakes_have_their_line_and_column() {
    let (cases, wrong) = read(
        "c.jsonl",
        "{\"id\": \"a\", \"reference\": \"x\", \"transcript\": \"y\"}\n{\"id\": \"ü\", \"refrence\": \"x\", \"transcript\": 3.5}\n{\"id\": }\n[1]\n",
    );
    assert_eq!(cases.len(), 1);
    assert_eq!(
        wrong,
        [
            "c.jsonl:2:1: the case has no `reference`, which is required: what was said",
            "c.jsonl:2:13: unknown key `refrence` in the case (did you mean `reference`?)",
            "c.jsonl:3:8: this line is not readable as JSON: expected value",
            "c.jsonl:4:1: a case must be a JSON object on one line",
        ]
    );
}

#[test]
fn mistakes_in_the_other_formats_have_a_place_too() {
    assert_eq!(
        read("c.json", "[\n {\"id\": \"a\",\n  \"reference\": [],\n \"transcript\": \"\"}]").1,
        ["c.json:3:3: `reference` must be a text, found a list"]
    );
    assert_eq!(read("c.json", "{\"id\": 1}").1, ["c.json:1:1: a case file of this format is a list of objects"]);
    assert_eq!(
        read("c.yaml", "- id: a\n  reference: {}\n  transcript: t\n").1,
        ["c.yaml:2:3: `reference` must be a text, found an object"]
    );
    assert_eq!(
        read("c.csv", "id,reference,transcript\na,b\n").1,
        ["c.csv:2:1: this row has 2 cells, the header has 3"]
    );
}

#[test]
fn an_empty_file_a_huge_case_and_bytes_that_are_no_text_are_errors() {
    assert_eq!(read("c.jsonl", "\n \n").1, ["c.jsonl: there is no case in this file"]);
    assert_eq!(read("c.json", "[]").1, ["c.json: there is no case in this file"]);
    assert_eq!(read("c.jsonl", b"{\"id\": \"a\xff\"}\n").1, ["c.jsonl:1:10: this line is not valid UTF-8"]);
    let huge = format!(
        "{{\"id\": \"a\", \"reference\": \"{}\", \"transcript\": \"\"}}\n{{\"id\": \"b\", \"reference\": \"\", \"transcript\": \"\"}}",
        "x".repeat(50_000_000)
    );
    let (cases, wrong) = read("c.jsonl", huge);
    assert_eq!(wrong, ["c.jsonl:1:1: this case is larger than 16 MiB, the most a case may be"]);
    assert_eq!(cases[0].id, "b");
}

#[test]
fn columns_are_renamed_and_dropped() {
    let columns = ColumnMap {
        columns: [("gold".to_owned(), Some("reference".to_owned())), ("who".to_owned(), None)].into_iter().collect(),
        drop_others: true,
    };
    let (cases, wrong) = read_with("c.csv", "id,gold,transcript,who,when\na,x,y,z,now\n", &columns);
    assert_eq!((cases[0].text("reference"), wrong), ("x", Vec::new()));
}
