"""Start-up time, 100,000 offline cases in bounded memory, a thousand prompt files linted, facts matched by rules.

    python3 bench/run.py [CASES]

Builds the release binary, measures, prints a table. Times are of this machine on this day; the ratios in the last column are what
to compare: start-up against the smallest process there is, many cases against a tenth of them.
"""

import json
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASES = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
WORDS = "please transfer the full amount to my savings account before friday because the fee of thirty five dollars is due and nobody called me back".split()


def timed(command, repeat):
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def peak_memory(command):
    """Runs a command and gives its seconds and its peak memory in MB."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return time.perf_counter() - start, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def write_cases(path, count):
    generator = random.Random(7)
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            reference = [generator.choice(WORDS) for _ in range(57)]
            heard = [word if generator.random() > 0.15 else generator.choice(WORDS) for word in reference]
            case = {"id": f"c{number}", "reference": " ".join(reference), "transcript": " ".join(heard)}
            file.write(json.dumps(case) + "\n")


PROMPT = """SYSTEM: You are a neutral reader of claim notes.
Use only what you are given.

---

BEHAVIOR: claim_{number}_correct

DESCRIPTION:
Whether the note carries the claim's figures.

EVALUATION SCOPE:
Include:
- Amounts and dates.
Ignore:
- Layout.

RUBRIC

Automatic fail if any of the following are true:
{fails}

Pass conditions (all must be satisfied):
{passes}

Acceptable variations (still treated as pass):
- Thousands separators.

Uncertainty policy:
If unclear, set pass = false.

---

INPUTS

GROUND_TRUTH:
{{a}}

SOURCE_NARRATIVE:
{{b}}

CANDIDATE_OUTPUT:
{{c}}
"""


def write_prompts(folder, count):
    os.makedirs(folder)
    fails = "\n".join(f"- The amount number {n} in the note differs from the ground truth or is missing from the note.\n  - Example: {n}00 instead of {n}50." for n in range(8))
    passes = "\n".join(f"{n}. The amount number {n} equals the ground truth." for n in range(1, 9))
    for number in range(count):
        pathlib.Path(folder, f"claim_{number}_prompt.md").write_text(PROMPT.format(number=number, fails=fails, passes=passes))


def write_facts(name, cases, facts):
    """Cases whose predicted facts say what the gold facts say, in other words and within a tolerance of five percent."""
    def side(prefix, case, say):
        return [{"id": f"{prefix}{n}", "fact_type": "assets", "fields": {"what": f"Fund {n}", "value": say(1000 * (case + n + 1)), "since": "March 2024"}} for n in range(facts)]

    with open(f"{name}.jsonl", "w", encoding="utf-8") as file:
        for case in range(cases):
            gold, predicted = side("g", case, lambda value: value), side("p", case, lambda value: f"£{value + 3:,}")
            file.write(json.dumps({"id": f"c{case}", "transcript": "", "gold_facts": gold, "predicted_facts": predicted}) + "\n")
    pathlib.Path(f"{name}.yaml").write_text(f"name: {name}\njudge: {{use: fact-extraction, settings: {{profile: lenient}}}}\ncases: {name}.jsonl\n")


def main():
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "assize"], cwd=ROOT, check=True)
    binary = str(ROOT / "target/release/assize")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, count in [("one", 1), ("tenth", CASES // 10), ("all", CASES)]:
            write_cases(f"{name}.jsonl", count)
            pathlib.Path(f"{name}.yaml").write_text(f"name: {name}\njudge: {{use: transcript-quality}}\ncases: {name}.jsonl\n")
        nothing = timed(["/bin/true"], 40)
        version = timed([binary, "--version"], 40)
        one = timed([binary, "run", "one.yaml", "--quiet"], 20)
        rows = [
            ("a process that does nothing", f"{nothing * 1000:.1f} ms", ""),
            ("assize --version", f"{version * 1000:.1f} ms", f"{version / nothing:.1f} × nothing"),
            ("assize run, one offline case", f"{one * 1000:.1f} ms", f"{one / nothing:.1f} × nothing"),
        ]
        before = None
        for name, count in [("tenth", CASES // 10), ("all", CASES)]:
            seconds, memory, cpu = peak_memory([binary, "run", f"{name}.yaml", "--quiet", "--store", f"{name}.db", "--results", f"{name}.out"])
            ratio = f"{memory / before:.2f} × the memory of a tenth" if before else ""
            rows.append((f"{count:,} offline cases", f"{seconds:.1f} s, {cpu:.1f} s CPU, {memory:.0f} MB, {count / seconds:,.0f} cases/s", ratio))
            before = memory
        write_prompts("hundred", 100)
        write_prompts("thousand", 1000)
        hundred, thousand = timed([binary, "lint", "hundred"], 5), timed([binary, "lint", "thousand"], 5)
        rows.append(("1,000 prompt files linted", f"{thousand * 1000:.0f} ms", f"{thousand / hundred:.1f} × a hundred"))
        for name, cases, facts in [("small", 1000, 10), ("large", 1, 2000)]:
            write_facts(name, cases, facts)
            seconds, memory, _ = peak_memory([binary, "run", f"{name}.yaml", "--quiet", "--store", f"{name}.db"])
            rows.append((f"facts by rules: {cases:,} case{'' if cases == 1 else 's'} of {facts:,} facts on each side", f"{seconds:.1f} s, {memory:.0f} MB", ""))
    print("| what | measured | ratio |\n| --- | --- | --- |")
    for row in rows:
        print(f"| {row[0]} | {row[1]} | {row[2]} |")


if __name__ == "__main__":
    main()
