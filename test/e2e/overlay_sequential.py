"""Compiled programs of the overlay, once on the simulator and once read sequentially by the oracle's interpreter of instructions: the same bits.

    python3 overlay_sequential.py [--bin build/bin] [--count 10] [--seed 1]

The trained GCN of the karate club and random models, for small devices. The interpreter fills memory and buffers with NaN, so that a program that reads what nobody
wrote shows, and it checks the states of mutexes as a device without any overlap has them. The last line is "N passed, N refused, N failed".
"""
import argparse
import math
import os
import sys
import tempfile

from programs import ROOT, Failed, Tools

from generate import generate, write_case
from overlay_devices import device_options
from overlay_reference import Fault, read_outputs, run_image
from safetensors import read


def compare(tools, program, graph, scratch):
    """Returns what is wrong, or None."""
    simulated = tools.run_overlay(program, graph, os.path.join(scratch, "out.safetensors"))
    try:
        outputs = read_outputs(run_image(program, read(graph)[0]))
    except Fault as e:
        return f"the reference refuses what the simulator ran: {e}"
    for name, data in outputs.items():
        for i, (a, b) in enumerate(zip(simulated[name].data, data, strict=True)):
            if a != b and not (math.isnan(a) and b != b):
                return f"'{name}', element {i}: the simulator has {a!r}, the reference {b!r}"
    return None


def cases(options, scratch):
    """(name, model, graph, weights, options of gnnc)"""
    tools = Tools(options.bin)
    karate = [os.path.join(scratch, f"{n}.safetensors") for n in ("karate", "karate_gcn")]
    for path in karate:
        name = os.path.splitext(os.path.basename(path))[0]
        tools.call([tools.gnn_data, "convert", os.path.join(ROOT, "examples", "karate", f"{name}.txt"), "-o", path])
    for device in ("tiny", "narrow", "extended"):
        for level in ("-O0", "-O2"):
            yield f"karate on {device} {level}", os.path.join(ROOT, "examples", "gcn.gnn"), *karate, [*device_options(device, scratch), level]
    for seed in range(options.seed, options.seed + options.count):
        folder, device = os.path.join(scratch, str(seed)), ("tiny", "narrow", "extended")[seed % 3]
        write_case(folder, generate(seed, 16, 4, ["functions"]))
        files = [os.path.join(folder, n) for n in ("model.gnn", "graph.safetensors", "weights.safetensors")]
        yield f"seed {seed} on {device}", *files, [*device_options(device, scratch), f"-O{seed % 4}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tools, passed, refused, failed = Tools(options.bin), 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="gnnc-overlay-") as scratch:
        for name, model, graph, weights, how in cases(options, scratch):
            program = os.path.join(scratch, "program.bin")
            try:
                tools.compile_overlay(model, program, graph, weights, how)
                wrong = compare(tools, program, graph, scratch)
            except Failed as error:
                if "[unsupported]" in str(error):
                    refused += 1
                    continue
                wrong = str(error)
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"{name}: {wrong}")
    print(f"{passed} passed, {refused} refused, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
