"""Counts of jiwer for pairs read as JSON lines on the standard input.

Each line is an object with `words` (two strings of words separated by single spaces) and, where
wanted, `characters` (two strings). The answer is one JSON object per line, with the counts under the
same names as [hits, substitutions, insertions, deletions]. The first line names the versions.
"""

import json
import sys

import jiwer
import rapidfuzz
from importlib.metadata import version


def counts(output):
    return [output.hits, output.substitutions, output.insertions, output.deletions]


print(json.dumps({"jiwer": version("jiwer"), "rapidfuzz": version("rapidfuzz")}))
for line in sys.stdin:
    pair = json.loads(line)
    answer = {"words": counts(jiwer.process_words(*pair["words"]))}
    if "characters" in pair:
        answer["characters"] = counts(jiwer.process_characters(*pair["characters"]))
    print(json.dumps(answer))
