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
assert all(isinstance(judge, LLMJudge) for judge in dataset.evaluators)
assert [judge.rubric for judge in dataset.evaluators] == expected["rubrics"]
assert [judge.assertion["evaluation_name"] for judge in dataset.evaluators] == expected["names"]
assert all(judge.include_input and judge.include_expected_output for judge in dataset.evaluators)
assert not any("SYSTEM:" in judge.rubric or "INPUTS" in judge.rubric for judge in dataset.evaluators)
again = Dataset[Any, Any, Any].from_text(Path(sys.argv[1]).read_text(encoding="utf-8"))
assert len(again.cases) == len(dataset.cases)
print(f"pydantic-evals {version('pydantic-evals')}: {len(dataset.cases)} cases, {len(dataset.evaluators)} judges")
