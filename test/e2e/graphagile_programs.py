"""Random programs of the overlay: the simulator and a sequential interpreter in Python leave the same bits in device memory.

    python3 graphagile_programs.py --bin build/bin --programs build/test/e2e/graphagile_programs [--count 20] [--seed 1]
"""
import argparse
import math
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
from graphagile_reference import Fault, Machine, OverlayImage, Table

INPUTS, ROWS = 4, 64  # the number of tiles, and the rows of each, as in test/fuzz/sim_program_parts.h


def same(a, b):
    return a == b or (math.isnan(a) and math.isnan(b))


def check(programs, table, number, scratch):
    """Returns the error, or None."""
    call = subprocess.run([programs, str(number), scratch], capture_output=True, text=True)
    if call.returncode:
        return call.stderr.strip() or f"exit status {call.returncode}"
    with open(os.path.join(scratch, f"{number}.bin"), "rb") as f:
        image = OverlayImage(f.read(), 0.0)
    words = [(i * 7919 % 401) / 100 - 2 for i in range(INPUTS * ROWS * image.device["width"])]
    features = image.sections[".features"]
    image.put_floats(features.address, words)
    try:
        Machine(image, table).run()
    except Fault as e:
        return f"the reference refuses what the simulator ran: {e}"
    with open(os.path.join(scratch, f"{number}.features"), "rb") as f:
        got = f.read()
    count = len(features.data) // 4
    for i, (a, b) in enumerate(zip(struct.unpack(f"<{count}f", got), struct.unpack(f"<{count}f", features.data))):
        if not same(a, b):
            return f"word {i} of .features (tile {i // ROWS // image.device['width']}) is {a!r}, the reference has {b!r}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin")
    parser.add_argument("--programs", required=True)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    table, failed = Table(), 0
    with tempfile.TemporaryDirectory(prefix="gnnc-overlay-") as scratch:
        for number in range(options.seed, options.seed + options.count):
            wrong = check(options.programs, table, number, scratch)
            if wrong:
                failed += 1
                print(f"program {number}: {wrong}")
    print(f"{options.count - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
