"""The page on a run of 100,000 cases: how long the server takes to list, filter, sort and open.

    python3 bench/page.py [CASES]

Builds the release binary, judges the cases offline, serves them, and asks for each page over one connection. The first request of
each kind is told apart from the median of the next twenty: nothing is warmed up beforehand. The last column compares with the
same request to a run of a hundredth of the cases.
"""

import http.client
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from run import ROOT, write_cases

CASES = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000

REQUESTS = [
    ("the run: scorecard, pictures, first page of cases", "/runs/{run}"),
    ("the last page of the list", "/runs/{run}?page={last}"),
    ("sorted by a metric", "/runs/{run}?sort=-%3Dcomposite"),
    ("sorted by another, from the middle", "/runs/{run}?sort=%3Dwer&page={middle}"),
    ("filtered by a flag and a model", "/runs/{run}?mark=flagged&model=default"),
    ("near the gate's limit", "/runs/{run}?mark=near"),
    ("searched", "/runs/{run}?q=9917"),
    ("a case", "/runs/{run}/cases/{position}"),
    ("a case within a sorted, filtered list", "/runs/{run}/cases/{position}?sort=-%3Dcomposite&mark=near"),
    ("the API: 50 cases, sorted and filtered", "/api/v1/runs/{run}/cases?sort=-%3Dcomposite&mark=near"),
]


def measure(binary, folder, count):
    """Judges so many cases and gives, for each request, the first and the median time in milliseconds, and the size in kB."""
    write_cases(folder / f"cases-{count}.jsonl", count)
    suite = folder / f"suite-{count}.yaml"
    suite.write_text(f"name: many-{count}\njudge: {{use: transcript-quality}}\ncases: cases-{count}.jsonl\ngate: {{composite: '>= 0.5'}}\n")
    store = folder / f"store-{count}.db"
    subprocess.run([binary, "run", suite, "--quiet", "--store", store], stdout=subprocess.DEVNULL)
    server = subprocess.Popen([binary, "serve", folder, "--addr", "127.0.0.1:0", "--no-open", "--store", store], stdout=subprocess.PIPE, text=True)
    address = server.stdout.readline().rsplit("http://", 1)[1].strip()
    connection = http.client.HTTPConnection(address)

    def ask(path):
        start = time.perf_counter()
        connection.request("GET", path)
        response = connection.getresponse()
        body = response.read()
        assert response.status == 200, (path, response.status)
        return (time.perf_counter() - start) * 1000, body

    run = json.loads(ask("/api/v1/runs")[1])["runs"][0]["run_id"]
    pages = count // 50
    figures = []
    for name, template in REQUESTS:
        path = template.format(run=run, last=pages, middle=max(pages // 2, 1), position=count * 3 // 4)
        first, body = ask(path)
        figures.append((name, first, statistics.median(ask(path)[0] for _ in range(20)), len(body) / 1000))
    memory = next(line for line in pathlib.Path(f"/proc/{server.pid}/status").read_text().splitlines() if line.startswith("VmHWM"))
    server.terminate()
    server.wait()
    return figures, int(memory.split()[1]) / 1024


def main():
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "assize"], cwd=ROOT, check=True)
    binary = ROOT / "target/release/assize"
    with tempfile.TemporaryDirectory() as folder:
        few, _ = measure(binary, pathlib.Path(folder), max(CASES // 100, 100))
        many, memory = measure(binary, pathlib.Path(folder), CASES)
    print(f"| {CASES:,} cases | first | median of 20 | page | against a hundredth of the cases |\n| --- | --- | --- | --- | --- |")
    for (name, first, median, size), (_, _, before, _) in zip(many, few):
        print(f"| {name} | {first:.1f} ms | {median:.1f} ms | {size:.0f} kB | {median / before:.1f} × |")
    print(f"\nmost memory of the server: {memory:.0f} MB")


if __name__ == "__main__":
    main()
