//! Profiles, other settings and questions over the API of the page.

use crate::bench::assize_in;
use crate::served::Served;
use serde_json::{Value, json};
use std::path::Path;

fn fact(id: &str, value: Value) -> Value {
    json!({"id": id, "fact_type": "assets", "fields": {"value": value}})
}

/// A run of the fact judge on cases whose amounts are 3 % off, or not at all.
fn judged(folder: &Path, cases: usize) -> Served {
    let suite = "name: facts\njudge: {use: fact-extraction, settings: {profile: strict}}\ncases: cases.jsonl\n";
    std::fs::write(folder.join("suite.yaml"), suite).expect("written");
    let lines: Vec<String> = (0..cases)
        .map(|number| {
            let predicted = if number % 2 == 0 { 1030 } else { 1000 };
            json!({"id": format!("c{number}"), "transcript": "", "gold_facts": [fact("g", json!(1000))], "predicted_facts": [fact("p", json!(predicted))]}).to_string()
        })
        .collect();
    std::fs::write(folder.join("cases.jsonl"), lines.join("\n")).expect("written");
    let ended = assize_in(folder, &["run", "suite.yaml", "--format", "json"]);
    assert_eq!(ended.code, Some(0), "{}", ended.said);
    Served::start(folder, |_| {})
}

fn message(reply: &Value) -> &str {
    reply["error"]["message"].as_str().unwrap_or_default()
}

#[test]
fn other_settings_on_the_cases_of_a_run_and_on_cases_that_are_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = judged(folder.path(), 4);
    let (status, reply) =
        served.ask("POST", "/whatif", Some(&json!({"after": {"numeric_tolerance_percent": 3}, "flips": 1})));
    assert_eq!(status, 200, "{reply}");
    assert_eq!(
        (&reply["over"]["cases"], &reply["over"]["used"], &reply["over"]["words"]),
        (&json!(4), &json!(4), &json!("4 cases"))
    );
    // Two of four predictions are 3 % off: wrong under the run's settings, right under these.
    assert_eq!((&reply["before"]["default"]["f1"], &reply["after"]["default"]["f1"]), (&json!(0.5), &json!(1.0)));
    assert_eq!(reply["after"]["default"]["by_type"]["assets"]["tp_predicted"], 4);
    assert_eq!((reply["flips"].as_array().map(Vec::len), &reply["flips_total"]), (Some(1), &json!(2)));
    assert_eq!(reply["flips"][0]["fields"][0]["rule"], "number_within_tolerance");
    assert_eq!(reply["differences"], json!([{"key": "numeric_tolerance_percent", "from": 0.0, "to": 3.0}]));
    let told = assize_in(folder.path(), &["whatif", "last", "--set", "numeric_tolerance_percent=3", "--json"]).json();
    assert_eq!(
        (&told["before"], &told["after"]),
        (&reply["before"], &reply["after"]),
        "the command line says the same"
    );

    let sent = json!({"cases": [{"id": "x", "gold_facts": [fact("g", json!(100))], "predicted_facts": [fact("p", json!(109))]}], "before": {"numeric_tolerance_percent": 10}, "after": {}});
    let (_, reply) = served.ask("POST", "/whatif", Some(&sent));
    assert_eq!(
        (&reply["before"]["default"]["recall"], &reply["after"]["default"]["recall"]),
        (&json!(1.0), &json!(0.0))
    );
    assert_eq!((&reply["over"]["run"], &reply["flips"][0]["linked"]), (&Value::Null, &json!(false)));

    for (wrong, status, words) in [
        (json!({"after": {"tolerance": 3}}), 422, "unknown key `tolerance` in judge_config"),
        (
            json!({"after": {"numeric_tolerance_percent": 300, "date_granularity": "week"}}),
            422,
            "must be one of `day`, `month`, `year`",
        ),
        (json!({"after": []}), 422, "must be a mapping"),
        (json!({"after": {}, "run": "nowhere"}), 404, "There is no run `nowhere`"),
        (json!({"after": {}, "cases": [{"id": 1}]}), 422, "Case 1: the case has no `predicted_facts`"),
        (json!({}), 422, "Nothing to try"),
        (json!({"profile": "lenien"}), 422, "did you mean `lenient`?"),
    ] {
        let (found, reply) = served.ask("POST", "/whatif", Some(&wrong));
        assert!(found == status && message(&reply).contains(words), "{wrong}: {found} {reply}");
    }
}

#[test]
fn a_profile_is_tried_and_asked_about_by_its_name_and_mistakes_come_one_by_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = judged(folder.path(), 4);
    let acme = json!({"settings": {"numeric_tolerance_percent": 3, "reading": {"date_order": "day_first"}}});
    assert_eq!(served.ask("POST", "/profiles/acme", Some(&acme)).0, 200);
    for tried in [json!({"profile": "acme"}), json!({"after": {"profile": "acme@1"}}), json!({"profile": "lenient"})] {
        let (status, reply) = served.ask("POST", "/whatif", Some(&tried));
        assert_eq!((status, &reply["after"]["default"]["f1"]), (200, &json!(1.0)), "{tried}: {reply}");
    }
    // What stands beside it overrides it.
    let (_, reply) =
        served.ask("POST", "/whatif", Some(&json!({"profile": "acme", "after": {"numeric_tolerance_percent": 0}})));
    assert_eq!(reply["after"]["default"]["f1"], 0.5);
    let (status, asked) = served.ask("POST", "/judges/fact-extraction/question", Some(&json!({"profile": "acme"})));
    assert_eq!(status, 200, "{asked}");
    let content = asked["questions"][0]["messages"][1]["content"].as_str().unwrap_or_default();
    assert!(
        content.contains("\"numeric_tolerance_percent\":3") || content.contains("\"numeric_tolerance_percent\": 3"),
        "{content}"
    );
    let wrong =
        json!({"after": {"numeric_tolerance_percent": 300, "date_granularity": "week", "reading": {"time": "noon"}}});
    let (status, reply) = served.ask("POST", "/whatif", Some(&wrong));
    assert_eq!((status, reply["error"]["problems"].as_array().map(Vec::len)), (422, Some(3)), "{reply}");
}

#[test]
fn many_cases_are_cut_short_and_that_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = judged(folder.path(), 2100);
    let (_, reply) =
        served.ask("POST", "/whatif", Some(&json!({"after": {"numeric_tolerance_percent": 3}, "flips": 0})));
    assert_eq!(reply["over"]["words"], "the first 2,000 of 2,100 cases");
    assert_eq!((&reply["flips_total"], &reply["before"]["default"]["fp"]), (&json!(1000), &json!(1000)));
}

#[test]
fn without_a_run_there_is_the_bundled_example() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path(), |_| {});
    let (status, reply) = served.ask("POST", "/whatif", Some(&json!({"after": {}})));
    assert_eq!((status, &reply["over"]["run"], &reply["over"]["used"]), (200, &Value::Null, &json!(40)));
    let (status, asked) = served.ask("POST", "/judges/call-intelligence/question", Some(&json!({})));
    assert_eq!((status, asked["questions"].as_array().map(Vec::is_empty)), (200, Some(false)), "{asked}");
}

#[test]
fn profiles_are_saved_restored_deleted_and_brought_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path(), |_| {});
    let save = |settings: Value| served.ask("POST", "/profiles/acme", Some(&json!({"settings": settings})));
    assert_eq!(
        save(json!({"numeric_tolerance_percent": 2})),
        (200, json!({"name": "acme", "version": 1, "new": true}))
    );
    assert_eq!(save(json!({"numeric_tolerance_percent": 2})).1["new"], false, "it holds just that");
    assert_eq!(save(json!({"numeric_tolerance_percent": 5})).1["version"], 2);
    let (_, profile) = served.ask("GET", "/profiles/acme", None);
    assert_eq!(
        profile["versions"][0]["changes"],
        json!([{"key": "numeric_tolerance_percent", "from": 2.0, "to": 5.0}])
    );
    assert_eq!((&profile["versions"][1]["version"], &profile["versions"][1]["changes"]), (&json!(1), &json!([])));
    assert_eq!(profile["versions"][0]["settings"]["profile_name"], "acme");

    let restore = |body: Value| served.ask("POST", "/profiles/acme/restore", Some(&body));
    assert_eq!(restore(json!({"version": 1})), (200, json!({"name": "acme", "version": 3, "new": true})));
    assert_eq!(restore(json!({"version": 9})).0, 404);
    let names = || {
        let (_, list) = served.ask("GET", "/profiles?judge=fact-extraction", None);
        let heads = list["profiles"].as_array().expect("profiles").clone();
        heads.iter().map(|head| (head["name"].clone(), head["version"].clone())).collect::<Vec<_>>()
    };
    let built_in = [(json!("strict"), Value::Null), (json!("lenient"), Value::Null)];
    assert_eq!(names(), [&built_in[..], &[(json!("acme"), json!(3))]].concat());
    assert_eq!(served.ask("DELETE", "/profiles/acme", None).1["deleted"], true);
    assert_eq!(names(), built_in);
    assert_eq!(served.ask("DELETE", "/profiles/acme", None).0, 404, "it is gone already");
    assert_eq!(restore(json!({})), (200, json!({"name": "acme", "version": 3, "new": false})), "as it was");
    assert_eq!(names().len(), 3);

    for (path, body, words) in [
        ("/profiles/strict", json!({"settings": {}}), "is built in"),
        ("/profiles/a%2Fb", json!({"settings": {}}), "cannot be a profile's name"),
        (
            "/profiles/acme",
            json!({"settings": {}, "judge": "transcript-quality"}),
            "is a profile of the judge fact-extraction",
        ),
        ("/profiles/x", json!({"settings": {}, "judge": "nobody"}), "There is no judge “nobody”"),
        (
            "/profiles/x",
            json!({"settings": {"weights": {"fidelity": -1}}, "judge": "transcript-quality"}),
            "must be a number of at least 0",
        ),
        (
            "/profiles/x",
            json!({"settings": {"only": [1]}, "judge": "rubric-tree"}),
            "`only` must be a text, found the number 1",
        ),
    ] {
        let (status, reply) = served.ask("POST", path, Some(&body));
        assert!(status == 422 && message(&reply).contains(words), "{path} {body}: {status} {reply}");
    }
    assert_eq!(served.ask("GET", "/profiles/nobody", None).0, 404);
}

#[test]
fn judges_say_what_they_are_and_what_they_would_ask() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = judged(folder.path(), 2);
    let (_, list) = served.ask("GET", "/judges", None);
    let judges = list["judges"].as_array().expect("judges");
    let judge = |name: &str| judges.iter().find(|judge| judge["name"] == name).unwrap_or_else(|| panic!("{name}"));
    assert_eq!(judge("fact-extraction")["profiles"]["lenient"]["numeric_tolerance_percent"], 5.0);
    assert_eq!(judge("call-intelligence")["settings"]["properties"]["benchmarks"]["default"], false);
    assert_eq!((&judge("criteria")["from_file"], &judge("criteria")["metrics"]), (&json!(true), &json!([])));

    let ask = |judge: &str, body: Value| served.ask("POST", &format!("/judges/{judge}/question"), Some(&body));
    let (status, asked) =
        ask("fact-extraction", json!({"settings": {"extra_instructions": "Mind the commas."}, "position": 1}));
    assert_eq!((status, &asked["case"], &asked["cases"]), (200, &json!("c1"), &json!(2)));
    let text = asked["questions"][0]["messages"].to_string();
    assert!(text.contains("Mind the commas.") && text.contains("predicted_facts"), "{text}");
    let case = json!({"id": "x", "reference": "one two", "transcript": "one"});
    let (_, asked) = ask("transcript-quality", json!({"case": case}));
    assert!(asked["questions"][0]["messages"].to_string().contains("one two"), "{asked}");
    for (judge, body, status, words) in [
        ("fact-extraction", json!({"position": 7}), 404, "There is no case 8: there are 2"),
        ("fact-extraction", json!({"settings": {"x": 1}}), 422, "unknown key `x`"),
        ("transcript-quality", json!({"case": {"id": "x"}}), 422, "no `reference`"),
        ("criteria", json!({}), 422, "depends on the file"),
        ("nobody", json!({}), 404, "There is no judge “nobody”"),
    ] {
        let (found, reply) = ask(judge, body);
        assert!(found == status && message(&reply).contains(words), "{judge}: {found} {reply}");
    }
}

/// A judge without settings of its own in the suite is recorded with none; every screen of it must still open.
#[test]
fn every_judge_that_ran_without_settings_can_be_configured() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(assize_in(folder.path(), &["demo", "--no-serve"]).code, Some(0));
    let served = Served::start(folder.path(), |_| {});
    let (status, judges) = served.ask("GET", "/judges", None);
    assert_eq!(status, 200, "{judges}");
    for judge in judges["judges"].as_array().expect("judges") {
        let name = judge["name"].as_str().expect("a name");
        let page = served.send("GET", &format!("/settings?judge={name}"), &[], "");
        assert_eq!(page.status, 200, "{name}: {}", page.body);
        let drawn = served.ask("POST", &format!("/judges/{name}/drawn"), Some(&json!({"settings": null})));
        assert!([200, 422].contains(&drawn.0), "{name}: {drawn:?}");
    }
}
