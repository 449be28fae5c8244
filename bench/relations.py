"""What merging relations costs on machines: cycles of a product per relation, of one product, and of the form that gnnc chooses.

    python3 bench/relations.py [--bin build/bin] [--out build/bench] [--machines graphagile,sextans,fusedgcn,agile]

An R-GCN layer, h + sum over relations, over graphs with one type of nodes. The sum is before the product (mean) or behind it (sum). The last lines count the cases
where the choice has more cycles than the other form, and what it had if relations were always merged."""
import argparse
import json
import os
import sys

from devices_cases import random_weights
from inputs import ROOT, run

SHAPES = [(200, 1500, 3, 16, 16), (200, 1500, 3, 32, 16), (200, 1500, 3, 16, 32), (200, 1500, 3, 32, 32), (200, 1500, 3, 64, 64), (200, 1500, 3, 64, 16),
          (200, 1500, 3, 16, 64), (1000, 4000, 4, 16, 16), (1000, 2000, 4, 32, 32), (1000, 4000, 2, 32, 32), (2000, 6000, 2, 64, 64), (10000, 40000, 8, 64, 64)]
FORMS = {"mean": "mean(e in n.incoming: e.src.x) @ W", "sum": "sum(e in n.incoming: e.src.x @ W)"}
SWITCHES = ["-fno-merge-relations", "-fmerge-relations", None]


def write_model(path, types, features, width, form):
    relations = ", ".join(f"r{t} : a -> a" for t in range(types))
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"model m {{\n  graph g {{ nodes a; edges {relations}; }}\n  input x : node f32[{features}];\n  weight R : f32[{features}, {width}] from \"root\";\n"
                f"  for n in g.nodes {{ n.h = n.x @ R; }}\n  repeat r in g.relations {{\n    weight W : f32[{features}, {width}] from \"c.{{r}}\";\n"
                f"    for n in r.dst_nodes {{ n.h = n.h + {FORMS[form]}; }}\n  }}\n  output y = n.h;\n}}\n")


def cycles(options, machine, switch):
    at, tool = f"{options.out}/relations", lambda name: f"{options.bin}/{name}"
    run([tool("gnnc"), f"--target={machine}", f"{at}.gnn", f"--graph={at}.safetensors", f"--weights={at}.weights", "-o", f"{at}.bin", *([switch] if switch else [])])
    text = run([tool("gnn-run"), f"{at}.bin", f"--graph={at}.safetensors", "--stats=json"])
    return json.loads(text[text.index("{"):text.rindex("}") + 1])["cycles"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=f"{ROOT}/build/bin")
    parser.add_argument("--out", default=f"{ROOT}/build/bench")
    parser.add_argument("--machines", default="graphagile,sextans,fusedgcn,agile", type=lambda t: t.split(","))
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    at, found = f"{options.out}/relations", {machine: [] for machine in options.machines}
    print("| form | graph | nodes | edges | types | widths |", " | ".join(options.machines), "|\n|" + "---|" * (6 + len(options.machines)))
    for form in FORMS:
        for kind in ("uniform", "rmat"):
            for nodes, edges, types, features, width in SHAPES:
                write_model(f"{at}.gnn", types, features, width, form)
                run([f"{options.bin}/gnn-data", "generate", f"--kind={kind}", f"--nodes={nodes}", f"--edges={edges}", f"--edge-types={types}",
                     f"--features={features}", "-o", f"{at}.safetensors"])
                random_weights(f"{at}.weights", {name: [features, width] for name in ["root", *(f"c.r{t}" for t in range(types))]})
                cells = []
                for machine in options.machines:
                    apart, together, chosen = (cycles(options, machine, s) for s in SWITCHES)
                    found[machine].append((apart, together, chosen))
                    cells.append(f"{apart} : {together}, {'one' if chosen == together else 'each'}")
                print(f"| {form} | {kind} | {nodes} | {edges} | {types} | {features} -> {width} |", " | ".join(cells), "|")
                sys.stdout.flush()
    print()
    for machine, rows in found.items():
        loss, always = ([row[i] / min(row[0], row[1]) - 1 for row in rows] for i in (2, 1))
        print(f"{machine}: {sum(v > 0 for v in loss)} of {len(rows)} choices are worse, by at most {100 * max(loss):.0f} %; "
              f"always merged: {sum(v > 0 for v in always)}, at most {100 * max(always):.0f} %")


if __name__ == "__main__":
    main()
