//! A suite in a served folder cannot read what is outside, and says so where it tries.

use crate::bench::Bench;
use assize_engine::records::RunRequest;

#[cfg(unix)]
#[tokio::test]
async fn every_path_of_a_suite_that_leads_out_is_a_problem_at_its_place() {
    let bench = Bench::new(1).await;
    let outside = bench.folder.path();
    std::fs::write(outside.join("secret.yaml"), "name: secret-name\n").expect("written");
    std::fs::create_dir(outside.join("model")).expect("made");
    std::os::unix::fs::symlink(outside, outside.join("served/link")).expect("linked");
    let absolute = outside.join("secret.yaml").display().to_string();
    bench.write(
        "suite.yaml",
        &format!(
            "name: trial\njudge:\n  use: link/secret.yaml\n  model: ['replay:../secret.yaml', 'replay:{absolute}']\n\
             cases:\n  - ../*.yaml\n  - link/*.yaml\n  - '{absolute}'\nprices: ../secret.yaml\nembedder: muse:../model\n"
        ),
    );
    let found = bench.ready(RunRequest::of_suite("suite.yaml")).err().expect("problems");
    let told: Vec<String> = found.iter().map(ToString::to_string).collect();
    for place in ["3:8", "4:11", "4:36", "6:5", "7:5", "8:5", "9:9", "10:11"] {
        let at = format!("suite.yaml:{place}:");
        let problem = told.iter().find(|problem| problem.starts_with(&at));
        let problem = problem.unwrap_or_else(|| panic!("none at {place}: {told:#?}"));
        assert!(problem.contains("leads out of the served folder"), "{problem}");
    }
    assert_eq!(told.len(), 8, "{told:#?}");
    assert!(!told.join("\n").contains("secret-name"), "{told:#?}");
}
