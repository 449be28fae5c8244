"""Runs a check on small programs, for the parts of the suite that look at single programs.

The programs are the trained GCN of the karate club and random models, on the machine's small devices."""
import argparse
import dataclasses
import os
import sys
import tempfile

import suite_path  # noqa: F401  (extends sys.path)
from generate import generate, write_case
from machines import MACHINES
from random_orders import PRODUCTIONS_FOR_C
from programs import ROOT, Tools

MOST_NODES, STATEMENTS = 16, 4


@dataclasses.dataclass
class Case:
    name: str
    device: str
    model: str
    graph: str
    weights: str
    options: list
    arguments: argparse.Namespace


def cases(tools, machine, arguments, scratch):
    karate = [os.path.join(scratch, f"{n}.safetensors") for n in ("karate", "karate_gcn")]
    for path in karate:
        name = os.path.splitext(os.path.basename(path))[0]
        tools.call([tools.gnn_data, "convert", os.path.join(ROOT, "examples", "karate", f"{name}.txt"), "-o", path])
    for device in machine.small:
        for level in ("-O0", "-O2"):
            yield Case(f"karate on {device} {level}", device, os.path.join(ROOT, "examples", "gcn.gnn"), *karate, [level], arguments)
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        folder, device = os.path.join(scratch, str(seed)), machine.small[seed % len(machine.small)]
        write_case(folder, generate(seed, MOST_NODES, STATEMENTS, PRODUCTIONS_FOR_C))
        files = [os.path.join(folder, n) for n in ("model.gnn", "graph.safetensors", "weights.safetensors")]
        host = [f"--host={('spmm', 'gemm,map', 'vadd')[seed % 3]}"] if machine.has_steps and seed % 2 else []
        more = ["", *machine.more, *(f"-f{name}" for name in machine.switches_of(device))]
        yield Case(f"seed {seed} on {device}", device, *files, [f"-O{seed % 4}", *host, *more[seed % 5 % len(more)].split()], arguments)


def run_cases(doc, part, check, refused_as, count=20, add=None):
    """check(tools, machine, case, scratch) returns the error or None. Exits with 1 where there is any; counts models that the machine refuses
    ([unsupported])."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--machine", choices=list(MACHINES), default="graphagile")
    parser.add_argument("--count", type=int, default=count, help="random models")
    parser.add_argument("--seed", type=int, default=1)
    if add:
        add(parser)
    arguments = parser.parse_args()
    machine, passed, refused, failed = MACHINES[arguments.machine], 0, 0, 0
    if machine.has_declined(part):
        return
    tools = Tools(arguments.bin, machine.programs)
    with tempfile.TemporaryDirectory(prefix=f"gnnc-{part}-") as scratch:
        for case in cases(tools, machine, arguments, scratch):
            try:
                wrong = check(tools, machine, case, scratch)
            except refused_as as error:
                if "[unsupported]" in str(error):
                    refused += 1
                    continue
                wrong = str(error)
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"FAILED {case.name} ({' '.join(case.options)}): {wrong}")
    print(f"{passed} passed, {refused} refused, {failed} failed")
    sys.exit(1 if failed or not passed else 0)
