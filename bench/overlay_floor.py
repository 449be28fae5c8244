#!/usr/bin/env python3
"""The floors that the overlay's gates refer to: python3 bench/overlay_floor.py [--write]

Compares the formula of overlay_cells.py with the frozen floors in bench/overlay_floor.csv, so that a gate means the same in every commit:
exit status 1 where they differ. --write freezes them again, which moves the gates.
"""
import argparse
import csv
import sys

import overlay_cells as cells
from overlay_cells import GRAPHS, MODELS


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--write", action="store_true", help="freeze what the formula says now")
    options = parser.parse_args()
    found = {(name, m, g): cells.computed_floor(name, m, g) for name in cells.FLOORS for m in MODELS for g in GRAPHS}
    if options.write:
        with open(f"{cells.HERE}/overlay_floor.csv", "w", newline="", encoding="utf-8") as f:
            rows = csv.writer(f, lineterminator="\n")
            rows.writerow(["floor", "model", *GRAPHS])
            rows.writerows([name, m, *(f"{found[name, m, g]:.6g}" for g in GRAPHS)] for name in cells.FLOORS for m in MODELS)
        return
    frozen = cells.frozen_floors()
    changed = [key for key, ms in found.items() if key not in frozen or abs(ms / frozen[key] - 1) > 1e-5]
    for name, model, graph in changed:
        print(f"{name} {model}/{graph}: the formula says {found[name, model, graph]:.6g} ms, frozen is {frozen.get((name, model, graph), float('nan')):.6g} ms")
    print(f"{len(found) - len(changed)} of {len(found)} floors are as frozen")
    paper = cells.paper()
    for name in cells.FLOORS:
        print(f"{name:18} paper's T_LoH / floor {cells.geometric_mean(paper[m, g]['T_LoH'] / found[name, m, g] for m in MODELS for g in GRAPHS):.3f}")
    sys.exit(1 if changed else 0)


if __name__ == "__main__":
    main()
