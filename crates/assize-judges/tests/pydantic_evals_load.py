"""Loads an exported dataset with the real pydantic-evals and compares it with what was exported.

    pip install pydantic-evals
    ASSIZE_PYTHON=path/to/python cargo test -p assize-judges --test behaviour_examples pydantic -- --nocapture
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pydantic_evals import Dataset
from pydantic_evals.evaluators import LLMJudge

dataset = Dataset[Any, Any, Any].from_file(Path(sys.argv[1]))
expected = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))

assert len(dataset.cases) == expected["cases"], len(dataset.cases)
assert len({case.name for case in dataset.cases}) == expected["cases"]
assert dataset.cases[0].inputs["candidate_output"] == expected["odd"], repr(dataset.cases[0].inputs)
assert dataset.cases[1].expected_output["claim_number"], dataset.cases[1]
everywhere = dataset.evaluators
of_cases = [evaluator for case in dataset.cases for evaluator in case.evaluators]
judges = [evaluator for evaluator in [*everywhere, *of_cases] if isinstance(evaluator, LLMJudge)]
names = [judge.assertion["evaluation_name"] for judge in judges]
assert names.count("paid_amount_correct") == expected["paid"], names
assert len(everywhere) + len(set(names[len([e for e in everywhere if isinstance(e, LLMJudge)]) :])) == expected["evaluators"]
assert all(judge.include_input and judge.include_expected_output for judge in judges)
assert all(judge.model_settings["temperature"] == 0 for judge in judges)
assert all(judge.model == "openai:gpt-4o-mini" for judge in judges)
assert not any("SYSTEM:" in judge.rubric or "INPUTS" in judge.rubric for judge in judges)
again = Dataset[Any, Any, Any].from_text(Path(sys.argv[1]).read_text(encoding="utf-8"))
assert len(again.cases) == len(dataset.cases)
print(f"pydantic-evals {version('pydantic-evals')}: {len(dataset.cases)} cases, {len(everywhere)} evaluators of all cases, {len(of_cases)} of some")
