"""The JSON of gnn-spmm has exact numbers that fit together."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    r = json.load(f)
n, rows, columns, nnz = r["n"], r["matrix"]["rows"], r["matrix"]["columns"], r["matrix"]["nnz"]
assert (n, r["n_given"], rows, columns, nnz) == (16, 13, 300, 40, 640), r
assert r["alpha"] == 0.10000000149011612 and r["beta"] == 0 and r["schedule"] == "published"
options = "--schedule=published --level=1 --dense=published --alpha=0.100000001 --beta=0"
assert r["made_by"].startswith("gnn-spmm ") and r["made_by"].endswith(f" with {options}"), r["made_by"]
assert r["simulation"]["made_by"] == r["made_by"] and r["simulation"]["program"].endswith(" with --schedule=published")
assert r["cycles"] == r["simulation"]["cycles"] == sum(layer["cycles"] for layer in r["simulation"]["layers"])
assert abs(r["ms"] - r["cycles"] / 189e3) < 1e-12
assert abs(r["gflops"] - 2e-6 * n * (nnz + rows) / r["ms"]) < 1e-9 * r["gflops"]
assert abs(r["bandwidth"] - 4 * (nnz + n * (2 * rows + columns)) / (r["ms"] * 460e6)) < 1e-9
assert r["slots"] == sum(launch["slots"] for launch in r["launches"]) and sum(launch["nnz"] for launch in r["launches"]) == nnz
assert r["check"]["equal"] is True and r["check"]["largest_error"] <= r["check"]["allowed"]
assert r["cpu"] == {"skipped": "--no-cpu"} and r["fold"]["additions"] == 0
