"""Disassembly and assembly keep a program of a machine: the sections in device memory have the same bytes, the run takes as many cycles.

    python3 assembler.py --machine graphagile [--bin build/bin] [--count 20] [--seed 1]

The programs are the trained GCN of the karate club and random models, on the machine's small devices. Assembly has no manifest, so the
test compares cycles and not outputs, and neither where the host executes steps. The last
line is "N passed, N refused, N failed".
"""
import os
import re
import subprocess

import suite_path  # noqa: F401  (extends sys.path)
from elf import sections_of
from programs import Failed
from small_cases import run_cases

LOADED = [".text", ".desc", ".constants", ".edges", ".weights", ".features"]


def cycles_of(tools, program):
    said = tools.call([tools.gnn_run, program, "--timing-only"]).decode()
    return re.search(r"run: (\d+) cycles", said)[1]


def check(tools, machine, case, scratch):
    """Returns the error, or None."""
    program, text, again = (os.path.join(scratch, n) for n in ("program.bin", "program.s", "again.bin"))
    tools.compile_for(machine.options(case.device, scratch), case.model, program, case.graph, case.weights, case.options)
    with open(text, "w", encoding="utf-8") as f:
        subprocess.run([tools.gnn_objdump, "--assembly", program], stdout=f, check=True)
    tools.call([tools.gnn_as, text, "-o", again])
    first, second = sections_of(program), sections_of(again)
    for name in LOADED:
        if first.get(name) != second.get(name):
            return f"{name} differs"
    before, after = cycles_of(tools, program), cycles_of(tools, again)
    has_host = b'"steps"' in first[".gnnc.program"][1]
    return None if before == after or has_host else f"{before} cycles, as assembly {after}"


if __name__ == "__main__":
    run_cases(__doc__, "assembler", check, Failed)
