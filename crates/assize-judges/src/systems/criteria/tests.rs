//! The two built-in criteria judges, and a third, through the path that every judge goes through.

use super::*;
use assize_core::{Answer, Answers, Case, Judgment, Method, Question};
use assize_testkit::drive;
use serde_json::{Value, json};

fn build(system: &dyn JudgeSystem, settings: &str) -> Box<dyn Judge> {
    let mut problems = Problems::of("suite.yaml");
    let settings = parse(settings, &mut problems);
    let judge = system.build(&JudgeSource::BuiltIn(system.name().into()), settings.as_ref(), &mut problems);
    judge.unwrap_or_else(|| panic!("{:?}", problems.iter().map(ToString::to_string).collect::<Vec<_>>()))
}

fn case(judge: &dyn Judge, record: Value) -> Case {
    let Value::Object(mut record) = record else { unreachable!("an object literal") };
    record.insert("id".into(), json!("c1"));
    Case::read(record, &judge.spec().inputs).expect("a valid case")
}

fn ask(judge: &dyn Judge, case: &Case) -> Question {
    drive::questions(judge, case, &Answers::none()).remove(0)
}

/// The judgment that follows from a model's reply, which must satisfy the question's schema.
fn judge_reply(judge: &dyn Judge, case: &Case, reply: Value) -> Judgment {
    let question = ask(judge, case);
    let validator = jsonschema::validator_for(&question.schema.schema).expect("a valid schema");
    assert!(validator.is_valid(&reply), "{reply}");
    let mut answer = Answer::from_rules(&question.name, reply);
    answer.source = assize_core::answer::Source::Model;
    conclude(judge, case, question, answer)
}

/// The judgment of the offline judge.
fn judge_offline(judge: &dyn Judge, case: &Case) -> Judgment {
    let question = ask(judge, case);
    let value = drive::stand_in(judge, case, &question.name).expect("rules");
    let answer = Answer::from_rules(&question.name, value);
    conclude(judge, case, question, answer)
}

fn conclude(judge: &dyn Judge, case: &Case, question: Question, answer: Answer) -> Judgment {
    let mut answers = Answers::none();
    answers.insert(question.name, answer);
    drive::judgment(judge, case, &answers)
}

fn transcript(settings: &str) -> (Box<dyn Judge>, Case) {
    let judge = build(&TRANSCRIPT_QUALITY, settings);
    let case = case(
        &*judge,
        json!({"reference": "please pay thirty five dollars today thanks", "transcript": "please pay dollars today thanks now"}),
    );
    (judge, case)
}

fn trace(record: Value) -> (Box<dyn Judge>, Case) {
    let judge = build(&REASONING_TRACE, "{}");
    let case = case(&*judge, record);
    (judge, case)
}

fn scored(scores: [f64; 5], overall: f64, verdict: &str) -> Judgment {
    let (judge, case) = trace(json!({"problem": "p", "response": "r"}));
    let [completeness, accuracy, reasoning_validity, answer_correctness, clarity] = scores;
    let scores = json!({
        "completeness": completeness, "accuracy": accuracy, "reasoning_validity": reasoning_validity,
        "answer_correctness": answer_correctness, "clarity": clarity,
    });
    let reply = json!({
        "reasoning": "one step is missing", "issues": [], "suggestions": [], "scores": scores, "overall_score": overall, "verdict": verdict,
    });
    judge_reply(&*judge, &case, reply)
}

#[test]
fn the_worked_example_of_transcript_quality() {
    let (judge, case) = transcript("{}");
    let reply = json!({"rationale": "minor omissions", "fidelity": 4, "omissions": 1, "insertions": 0, "overall": 4});
    let judgment = judge_reply(&*judge, &case, reply);
    let value = |name: &str| judgment.value(name).expect("defined");
    assert_eq!([value("fidelity"), value("omissions"), value("insertions"), value("overall")], [0.8, 0.8, 1.0, 0.8]);
    assert_eq!(value("composite"), 0.84);
    assert_eq!(judgment.metrics["omissions"].raw, Some(1.0));
    assert_eq!(judgment.metrics["composite"].method, Method::Llm);
    assert_eq!(judgment.reason.as_deref(), Some("minor omissions"));
}

#[test]
fn error_rates_are_counted_beside_the_model() {
    let (judge, case) = transcript("{}");
    let judgment = judge_offline(&*judge, &case);
    // "thirty five" is missing, "now" was added: 3 errors on 7 words.
    let wer = &judgment.metrics["wer"];
    assert_eq!((wer.value, wer.method), (Some(3.0 / 7.0), Method::Code));
    let counts: Vec<u64> =
        ["hits", "substitutions", "insertions", "deletions"].iter().map(|name| wer.counts[*name]).collect();
    assert_eq!(counts, [5, 0, 1, 2]);
    assert_eq!(judgment.labels["alignment"][1], json!({"op": "delete", "reference": "thirty five"}));
    // 5 of 7 kept is 3.57, down to 3.5; 2 of 7 missing is 1.43, up to 1.5; 1 of 6 added is 0.83, up to 1; 4 of 7 is 2.86, down to 2.5.
    let raw = |name: &str| judgment.metrics[name].raw.expect("given");
    assert_eq!([raw("fidelity"), raw("omissions"), raw("insertions"), raw("overall")], [3.5, 1.5, 1.0, 2.5]);
    assert_eq!(judgment.metrics["fidelity"].method, Method::Rules);
}

#[test]
fn weights_and_normalisation_are_settings() {
    let reply = json!({"rationale": "", "fidelity": 5, "omissions": 5, "insertions": 5, "overall": 0});
    let (judge, case) = transcript("weights: {fidelity: 3, omissions: 0, insertions: 0, overall: 1}");
    assert_eq!(judge_reply(&*judge, &case, reply).value("composite"), Some(0.75));
    let judge = build(&TRANSCRIPT_QUALITY, "normalisation: {case: false, punctuation: false}");
    let shouted = super::tests::case(&*judge, json!({"reference": "Yes, please.", "transcript": "yes please"}));
    assert_eq!(judge_offline(&*judge, &shouted).value("wer"), Some(1.0));
}

#[test]
fn an_empty_reference_is_undefined_not_zero() {
    let (judge, _) = transcript("{}");
    let empty = case(&*judge, json!({"reference": "", "transcript": "thank you for watching"}));
    let judgment = judge_offline(&*judge, &empty);
    assert_eq!([judgment.value("wer"), judgment.value("fidelity"), judgment.value("composite")], [None, None, None]);
    assert_eq!(judgment.value("insertions"), Some(0.0));
    assert_eq!(judgment.flags, ["criteria_undecided"]);
    let silent = case(&*judge, json!({"reference": "hello there", "transcript": ""}));
    let judgment = judge_offline(&*judge, &silent);
    assert_eq!(
        [judgment.value("fidelity"), judgment.value("omissions"), judgment.value("insertions")],
        [Some(0.0), Some(0.0), Some(1.0)]
    );
}

#[test]
fn the_verdict_follows_the_thresholds_of_the_seed() {
    let judgment = scored([0.9, 0.9, 0.9, 0.9, 0.6], 0.84, "needs_revision");
    assert_eq!((judgment.value("overall_score"), judgment.verdict.as_deref()), (Some(0.84), Some("needs_revision")));
    assert_eq!(judgment.flags, ["no_suggestion"]);
    assert_eq!(scored([0.9; 5], 0.9, "approve").verdict.as_deref(), Some("approve"));
    let low_answer = scored([0.9, 0.9, 0.9, 0.79, 0.9], 0.88, "reject");
    assert_eq!(low_answer.value("overall_score"), Some(0.878));
    // A mean of 0.878 with no criterion under 0.7 approves; the answer's 0.79 only matters below 0.85.
    assert_eq!(low_answer.verdict.as_deref(), Some("approve"));
    assert_eq!(scored([0.7, 0.6, 0.6, 0.79, 0.6], 0.66, "reject").verdict.as_deref(), Some("reject"));
    // Exactly 0.85 overall and exactly 0.7 in one criterion.
    assert_eq!(scored([1.0, 0.85, 0.85, 0.85, 0.7], 0.85, "approve").verdict.as_deref(), Some("approve"));
    assert_eq!(scored([1.0, 0.85, 0.85, 0.85, 0.69], 0.85, "approve").verdict.as_deref(), Some("needs_revision"));
}

#[test]
fn what_the_model_claims_is_shown_and_not_believed() {
    let judgment = scored([0.5, 0.5, 0.5, 0.2, 0.5], 0.95, "approve");
    assert_eq!(judgment.verdict.as_deref(), Some("reject"));
    assert_eq!(
        judgment.claimed,
        json!({"overall_score": 0.95, "verdict": "approve"}).as_object().cloned().expect("an object")
    );
    assert_eq!(judgment.flags, ["overall_score_differs", "verdict_differs"]);
    assert_eq!(judgment.value("overall_score"), Some(0.44));
}

#[test]
fn wrong_arithmetic_is_an_issue_and_a_contradicted_answer_a_flag() {
    let (judge, case) = trace(json!({
        "problem": "7 × 6?", "response": "7 * 6 = 41, so the answer is 41.", "expected_answer": "42",
    }));
    let scores =
        json!({"completeness": 1, "accuracy": 1, "reasoning_validity": 1, "answer_correctness": 1, "clarity": 1});
    let reply = json!({
        "reasoning": "one product, one step", "issues": ["terse"], "suggestions": [], "scores": scores, "overall_score": 1, "verdict": "approve",
    });
    let judgment = judge_reply(&*judge, &case, reply);
    assert_eq!(judgment.labels["issues"], json!(["terse", "wrong arithmetic: 7 * 6 = 41"]));
    assert_eq!(judgment.labels["answer"], json!({"given": "41", "expected": "42", "same": false}));
    assert_eq!(
        judgment.flags,
        ["wrong_arithmetic", "answer_differs", "arithmetic_contradicted", "answer_contradicted"]
    );
    // The verdict still follows from the scores: code flags, it does not overrule what needs reading.
    assert_eq!(judgment.verdict.as_deref(), Some("approve"));
}

#[test]
fn offline_a_verdict_is_given_only_where_nothing_unknown_could_change_it() {
    let right = trace(json!({
        "problem": "7 × 6 + 1?", "response": "7 * 6 = 42. Then 42 + 1 = 43.\nAnswer: 43", "expected_answer": "43",
        "expected_components": ["the product 42", "adding one"],
    }));
    let judgment = judge_offline(&*right.0, &right.1);
    assert_eq!(judgment.value("answer_correctness"), Some(1.0));
    let wrong = trace(
        json!({"problem": "capital of France?", "response": "It is Lyon.\nAnswer: Lyon", "expected_answer": "Paris"}),
    );
    let judgment = judge_offline(&*wrong.0, &wrong.1);
    assert_eq!((judgment.value("accuracy"), judgment.value("overall_score")), (None, None));
    assert_eq!(judgment.verdict.as_deref(), Some("reject"));
    let open = trace(
        json!({"problem": "capital of France?", "response": "It is Paris.\nAnswer: Paris", "expected_answer": "Paris"}),
    );
    let judgment = judge_offline(&*open.0, &open.1);
    assert_eq!(judgment.verdict, None);
    assert_eq!(judgment.flags, ["criteria_undecided", "verdict_undecided"]);
}

/// A transcript judge's reply with these scores on the scale of the question.
fn heard(reference: &str, transcript: &str, scores: [f64; 4], rationale: &str, settings: &str) -> Judgment {
    let judge = build(&TRANSCRIPT_QUALITY, settings);
    let case = case(&*judge, json!({"reference": reference, "transcript": transcript}));
    let [fidelity, omissions, insertions, overall] = scores;
    let reply = json!({
        "rationale": rationale, "fidelity": fidelity, "omissions": omissions, "insertions": insertions, "overall": overall,
    });
    judge_reply(&*judge, &case, reply)
}

#[test]
fn a_critical_difference_is_named_counted_and_weighs() {
    let (reference, dropped) = ("You should not take the ibuprofen today.", "You should take the ibuprofen today.");
    let judgment = heard(reference, dropped, [4.0, 1.0, 0.0, 4.0], "drops a word", "{}");
    assert_eq!(judgment.flags, ["critical_difference"]);
    assert_eq!(judgment.value("critical_differences"), Some(1.0));
    let words = json!([{"kind": "negation", "reference": "should not take", "hypothesis": "should take"}]);
    assert_eq!(judgment.labels["critical_differences"], words);
    // 0.4·0.8 + 0.2·0.8 + 0.2·1 + 0.2·0.8 = 0.84, of which half is left.
    assert_eq!(judgment.value("composite"), Some(0.42));
    let with =
        |weight: &str| heard(reference, dropped, [4.0, 1.0, 0.0, 4.0], "drops a word", weight).value("composite");
    assert_eq!(with("critical_weight: 0"), Some(0.84));
    assert_eq!(with("critical_weight: 0.25"), Some(0.63));
    assert_eq!(with("critical_weight: 1"), Some(0.0));
    // Two of them are counted, and cost no more than one.
    let two =
        heard("Take it on Monday, 15 pills.", "Take it on Friday, 50 pills.", [5.0, 0.0, 0.0, 5.0], "two slips", "{}");
    assert_eq!((two.value("critical_differences"), two.value("composite")), (Some(2.0), Some(0.5)));
    let judge = build(&TRANSCRIPT_QUALITY, "{}");
    let slips = case(
        &*judge,
        json!({
            "reference": "You should not take the ibuprofen while you are on the warfarin",
            "transcript": "You should not take the ibuprofin wile your on the warfarin",
        }),
    );
    let dropped = case(
        &*judge,
        json!({
            "reference": "You should not take the ibuprofen while you are on the warfarin",
            "transcript": "You should take the ibuprofen while you are on the warfarin",
        }),
    );
    let composite = |case: &Case| judge_offline(&*judge, case).value("composite").expect("decided");
    assert!(composite(&dropped) < composite(&slips), "{} {}", composite(&dropped), composite(&slips));
}

#[test]
fn what_the_alignment_refutes_is_flagged_and_counted() {
    let text = "the pipe under the sink burst on sunday night and the water ran below";
    let refuted = |judgment: &Judgment| {
        (judgment.flags.contains(&"alignment_contradicts".to_owned()), judgment.value("contradictions"))
    };
    for (reference, transcript, scores, count) in [
        (text, text, [5.0, 0.0, 0.0, 5.0], 0),
        (text, text, [0.0, 0.0, 0.0, 5.0], 1),
        (text, text, [0.0, 5.0, 5.0, 0.0], 4),
        (text, "", [5.0, 0.0, 0.0, 5.0], 3),
        (text, "", [0.0, 5.0, 0.0, 0.0], 0),
        // Half of the words are gone, and the model says that nothing is missing.
        (text, "the pipe under the sink burst", [3.0, 0.0, 0.0, 3.0], 1),
        // What the words mean needs reading.
        ("thirty five", "35", [5.0, 0.0, 0.0, 5.0], 0),
        (text, "the tap over the bath leaked on friday morning and the floor got wet", [0.0, 0.0, 0.0, 0.0], 0),
    ] {
        let judgment = heard(reference, transcript, scores, "words differ", "{}");
        assert_eq!(refuted(&judgment), (count > 0, Some(f64::from(count))), "{transcript}: {scores:?}");
    }
    let judgment = heard(text, "", [5.0, 5.0, 0.0, 0.0], "words differ", "{}");
    assert_eq!(
        judgment.labels["contradictions"],
        json!([{"criterion": "fidelity", "given": 5.0, "between": [0.0, 1.0]}])
    );
}

#[test]
fn a_reason_without_content_or_with_more_lines_than_asked_for_is_flagged() {
    let flags = |rationale: &str| heard("hello there", "hello there", [5.0, 0.0, 0.0, 5.0], rationale, "{}").flags;
    assert_eq!(flags("identical to the reference"), Vec::<String>::new());
    for empty in ["", "  ", "The transcript is correct."] {
        assert_eq!(flags(empty), ["empty_reason"]);
    }
    assert_eq!(flags("identical\nin every word"), ["long_reason"]);
}

#[test]
fn annotations_are_left_out_where_that_is_set() {
    let wer = |settings: &str| {
        let judge = build(&TRANSCRIPT_QUALITY, settings);
        let noisy = case(&*judge, json!({"reference": "um [noise] I paid", "transcript": "um I paid <unk>"}));
        judge_offline(&*judge, &noisy).value("wer")
    };
    assert_eq!(wer("{}"), Some(0.5));
    assert_eq!(wer("normalisation: {drop_annotations: true}"), Some(0.0));
}

#[test]
fn a_model_that_contradicts_code_about_answer_or_arithmetic_is_flagged() {
    let judged = |response: &str, accuracy: f64, answer: f64| {
        let (judge, case) = trace(json!({"problem": "7 × 6?", "response": response, "expected_answer": "42"}));
        let scores = json!({
            "completeness": 1, "accuracy": accuracy, "reasoning_validity": 1, "answer_correctness": answer, "clarity": 1,
        });
        let reply = json!({"reasoning": "7 times 6", "issues": [], "suggestions": [], "scores": scores});
        let judgment = judge_reply(&*judge, &case, reply);
        let contradicted =
            judgment.flags.iter().filter(|flag| flag.ends_with("contradicted")).cloned().collect::<Vec<_>>();
        (contradicted, judgment.value("contradictions"))
    };
    let (right, wrong) = ("7 * 6 = 42. The answer is 42.", "7 * 6 = 41. The answer is 41.");
    assert_eq!(judged(right, 1.0, 1.0), (vec![], Some(0.0)));
    assert_eq!(judged(right, 1.0, 0.5), (vec!["answer_contradicted".to_owned()], Some(1.0)));
    assert_eq!(judged(wrong, 0.5, 0.5), (vec![], Some(0.0)));
    let both = vec!["arithmetic_contradicted".to_owned(), "answer_contradicted".to_owned()];
    assert_eq!(judged(wrong, 1.0, 1.0), (both, Some(2.0)));
}

#[test]
fn offline_nothing_expected_leaves_completeness_open_and_nothing_is_approved() {
    let right = |record: Value| {
        let (judge, case) = trace(record);
        judge_offline(&*judge, &case)
    };
    let open = right(json!({
        "problem": "7 × 6 + 1?", "response": "7 * 6 = 42. Then 42 + 1 = 43.\nAnswer: 43", "expected_answer": "43",
    }));
    assert_eq!((open.value("completeness"), open.verdict), (None, None));
    assert_eq!(open.flags, ["criteria_undecided", "verdict_undecided"]);
    let decided = right(json!({
        "problem": "7 × 6 + 1?", "response": "7 * 6 = 42. Then 42 + 1 = 43.\nAnswer: 43", "expected_answer": "43",
        "expected_components": ["42"],
    }));
    assert_eq!((decided.value("completeness"), decided.verdict.as_deref()), (Some(1.0), Some("approve")));
}

#[test]
fn a_repetition_is_a_case_of_its_own_and_the_question_is_the_same() {
    let judge = build(&TRANSCRIPT_QUALITY, "{}");
    let again = |run: u32| case(&*judge, json!({"reference": "hello", "transcript": "hello", "run": run}));
    assert_eq!(again(2).name(), "c1 (run 2)");
    assert_eq!(ask(&*judge, &again(1)), ask(&*judge, &again(2)));
}

#[test]
fn the_rates_of_the_best_and_the_worst_verdict_have_a_direction() {
    let rates: Vec<(String, bool, bool)> = build(&REASONING_TRACE, "{}")
        .spec()
        .metrics
        .iter()
        .filter(|spec| spec.name.ends_with("_rate"))
        .map(|spec| (spec.name.clone(), spec.lower_is_better, spec.neutral))
        .collect();
    let expected = [("approve_rate", false, false), ("needs_revision_rate", false, true), ("reject_rate", true, false)];
    assert_eq!(rates, expected.map(|(name, lower, neutral)| (name.to_owned(), lower, neutral)));
}

/// The instructions of a criteria file of the user's.
fn instructions(text: &str) -> String {
    let file = JudgeSource::File(SourceFile { path: "mine.yaml".into(), text: text.into() });
    let mut problems = Problems::of("suite.yaml");
    let judge = CriteriaFile.build(&file, None, &mut problems);
    let judge = judge.unwrap_or_else(|| panic!("{:?}", problems.iter().map(ToString::to_string).collect::<Vec<_>>()));
    let inputs: serde_json::Map<String, Value> = judge
        .spec()
        .inputs
        .iter()
        .filter(|input| input.required)
        .map(|input| (input.name.clone(), json!("x")))
        .collect();
    ask(&*judge, &case(&*judge, Value::Object(inputs))).messages[0].content.clone()
}

#[test]
fn a_question_is_in_the_scales_it_asks_for_and_tells_what_the_inputs_are() {
    insta::assert_snapshot!(instructions(EXAMPLE));
}

#[test]
fn a_reason_is_asked_for_before_the_scores_where_a_file_names_none() {
    let text = "name: short\ntask: Judge the reply.\ninputs:\n  reply: {required: true, about: what support wrote}\ncriteria:\n  tone: {about: whether it is kind, scale: [1, 5]}\n  reason: {about: whether it gives one, scale: [0, 1]}\n";
    insta::assert_snapshot!(instructions(text));
    let file = JudgeSource::File(SourceFile { path: "mine.yaml".into(), text: text.into() });
    let judge = CriteriaFile.build(&file, None, &mut Problems::default()).expect("a valid file");
    let case = case(&*judge, json!({"reply": "Sure!"}));
    let judgment = judge_reply(&*judge, &case, json!({"judge_reason": "curt", "tone": 3, "reason": 0}));
    assert_eq!(judgment.reason.as_deref(), Some("curt"));
}

#[test]
fn claims_may_be_left_out() {
    let (judge, case) = trace(json!({"problem": "p", "response": "r"}));
    let scores = json!({
        "completeness": 1, "accuracy": 1, "reasoning_validity": 1, "answer_correctness": 1, "clarity": 1,
    });
    let reply = json!({"reasoning": "one step", "issues": [], "suggestions": [], "scores": scores});
    let judgment = judge_reply(&*judge, &case, reply);
    assert_eq!((judgment.verdict.as_deref(), judgment.claimed.len()), (Some("approve"), 0));
}

#[test]
fn rates_over_a_run_count_every_judged_case() {
    let judge = build(&REASONING_TRACE, "{}");
    let mut summary = crate::summary::summary_of(&*judge);
    let (_, some_case) = trace(json!({"problem": "p", "response": "r"}));
    for judgment in
        [scored([0.9; 5], 0.9, "approve"), scored([0.1; 5], 0.1, "reject"), scored([0.9; 5], 0.9, "approve")]
    {
        summary.add(&some_case, &judgment);
    }
    let mut undecided = scored([0.9; 5], 0.9, "approve");
    undecided.verdict = None;
    summary.add(&some_case, &undecided);
    let card = &summary.finish().models["default"];
    let rate = &card.metrics["approve_rate"];
    assert_eq!((rate.value, rate.n), (Some(0.5), 4));
    // Wilson for 2 of 4.
    let interval = rate.interval.expect("an interval");
    assert!((interval.0 - 0.150_039).abs() < 1e-6 && (interval.1 - 0.849_961).abs() < 1e-6, "{interval:?}");
    let names: Vec<&str> = card.metrics.keys().map(String::as_str).collect();
    let listed: Vec<&str> = judge.spec().metrics.iter().map(|metric| metric.name.as_str()).collect();
    assert_eq!(names, listed);
}

#[test]
fn the_question_holds_the_case_as_data_and_reasons_come_first() {
    let (judge, case) = transcript("{}");
    let question = ask(&*judge, &case);
    insta::assert_snapshot!(
        question.messages.iter().map(|m| format!("## {:?}\n{}", m.role, m.content)).collect::<Vec<_>>().join("\n\n")
    );
    let keys: Vec<&String> = question.schema.schema["properties"].as_object().expect("properties").keys().collect();
    assert_eq!(keys, ["rationale", "fidelity", "omissions", "insertions", "overall"]);
}

#[test]
fn the_fingerprint_changes_with_a_setting_and_not_otherwise() {
    let print = |settings: &str| build(&TRANSCRIPT_QUALITY, settings).spec().fingerprint.clone();
    assert_eq!(print("{}"), print("weights: {fidelity: 0.4}"));
    assert_ne!(print("{}"), print("weights: {fidelity: 0.5}"));
    assert_ne!(print("{}"), build(&REASONING_TRACE, "{}").spec().fingerprint.clone());
}

#[test]
fn a_third_judge_is_a_file() {
    let file = JudgeSource::File(SourceFile { path: "support-reply.yaml".into(), text: EXAMPLE.into() });
    assert!(CriteriaFile.takes(&file));
    let mut problems = Problems::of("suite.yaml");
    let judge = CriteriaFile
        .build(&file, None, &mut problems)
        .unwrap_or_else(|| panic!("{:?}", problems.iter().collect::<Vec<_>>()));
    let case = case(&*judge, json!({"message": "where is my parcel?", "reply": "It comes on Monday."}));
    let reply = json!({
        "reasoning": "clear", "changes": [], "helpfulness": 5, "tone": 3, "broken_promises": 0, "composite": 0.9, "verdict": "send",
    });
    let judgment = judge_reply(&*judge, &case, reply);
    // helpfulness 1.0 counts twice, tone 0.5, broken_promises turned round 1.0: 3.5 / 4.
    assert_eq!((judgment.value("composite"), judgment.verdict.as_deref()), (Some(0.875), Some("send")));
    // No rule stands in for a model here, so offline there is nothing to say.
    assert!(drive::stand_in(&*judge, &case, &ask(&*judge, &case).name).is_err());
}

#[test]
fn a_criteria_file_with_many_mistakes_names_all_of_them() {
    let text = "name: 7 up\ntask: ''\ninputs:\n  id: {about: x}\n  text: {kind: string, about: x}\ncriteria:\n  tone: {about: x, scale: [5, 1], offline: words_kpt}\n  wit: {scale: [0, 1], anchors: {7: high}, weigth: 2, about: x}\nverdicts:\n  - {verdict: good, when: [tone]}\nmeasure: []\n";
    let file = JudgeSource::File(SourceFile { path: "mine.yaml".into(), text: text.into() });
    let mut problems = Problems::of("suite.yaml");
    assert!(CriteriaFile.build(&file, None, &mut problems).is_none());
    insta::assert_snapshot!(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
}
