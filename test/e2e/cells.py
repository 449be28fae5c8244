"""Cuts by METIS have as few ghosts per node as published for real graphs, and ranks that own consecutive cells of one cut have few more than a cut of their own.

    python3 cells.py [--bin build/bin] [--graphs cora,web_notredame] [--shared ../shared]

The table has the ghosts per node of cuts into 2, 16 and 64 cells by METIS (k-way, edge cut, node weights 1 + in-degree, seed 1), rounded; ours may differ by 5 %, or by the
rounding. Ranks over 64 cells may have 1.15 times the ghosts of a direct cut + 0.03. The data lies in --shared, $GNNC_SHARED, or the folder shared beside the checkout;
without it, or without METIS, every case is skipped. The last line is "N passed, N failed, N skipped".
"""
import argparse
import json
import os
import subprocess

from programs import ROOT

GHOSTS = {"cora": (0.09, 0.44, 0.80), "pubmed_structure": (0.09, 0.50, 0.90), "amazon_photo": (0.27, 2.1, 4.9), "email_enron": (0.19, 1.0, 1.9),
          "soc_epinions1": (0.20, 1.2, 2.3), "fb15k_237": (0.76, 5.0, 9.9), "dblp": (0.60, 3.3, 4.9), "ogbn_mag_01": (0.04, 0.18, 0.31),
          "web_notredame": (0.001, 0.07, 0.18), "ego_twitter": (0.25, 1.4, 2.8)}
CELLS = (2, 16, 64)


def cut(program, path, cells):
    """Ghosts per node by the number of ranks; None without METIS."""
    done = subprocess.run([program, "partition", "--method=metis", f"--cells={cells}", "--json", path], capture_output=True, text=True)
    if "built without METIS" in done.stderr:
        return None
    if done.returncode:
        raise SystemExit(done.stderr)
    return {r["ranks"]: r["ghosts"] for r in json.loads(done.stdout)["ranks"]}


def rounding(ghosts):
    """Half of the last digit of a number in the table."""
    return 0.5 * 10.0 ** -len(f"{ghosts}".partition(".")[2].ljust(2 if ghosts < 1 else 1, "0"))


def wrong(program, path, table):
    """What is wrong with the cuts of a graph."""
    direct = {k: cut(program, path, k) for k in (2, 4, 8, 16, 64)}
    if None in direct.values():
        return None
    found = [f"{k} cells: {direct[k][k]:.4f} ghosts per node, expected {g}" for k, g in zip(CELLS, table) if abs(direct[k][k] - g) > 0.05 * g + rounding(g)]
    return found + [f"{k} ranks over 64 cells: {direct[64][k]:.4f} ghosts per node, directly {direct[k][k]:.4f}"
                    for k in (2, 4, 8, 16) if direct[64][k] > 1.15 * direct[k][k] + 0.03]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--graphs", default=list(GHOSTS), type=lambda t: t.split(","))
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", os.path.join(ROOT, "..", "shared")))
    options = parser.parse_args()
    passed = failed = skipped = 0
    for name in options.graphs:
        path = os.path.join(options.shared, "data", "graphs", f"{name}.safetensors")
        found = wrong(os.path.join(options.bin, "gnn-data"), path, GHOSTS[name]) if os.path.exists(path) else None
        if found is None:
            skipped += 1
            continue
        for text in found:
            print(f"FAILED {name}: {text}")
        passed, failed = passed + (not found), failed + bool(found)
    print(f"{passed} passed, {failed} failed, {skipped} skipped" + (" (no data or no METIS)" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
