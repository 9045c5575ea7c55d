"""Start-up time, and 100,000 offline cases in bounded memory.

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
    print("| what | measured | ratio |\n| --- | --- | --- |")
    for row in rows:
        print(f"| {row[0]} | {row[1]} | {row[2]} |")


main()
