"""The same input gives the same bytes: every example is compiled twice, from two working directories."""
import os
import subprocess
import sys
import tempfile
import tree

bin_dir, root = sys.argv[1], os.getcwd()
problems, checked = [], 0
with tempfile.TemporaryDirectory() as folder:
    graph = os.path.join(folder, "karate.safetensors")
    weights = os.path.join(folder, "karate_gcn.safetensors")
    for text, made in (("karate", graph), ("karate_gcn", weights)):
        source = f"{root}/examples/karate/{text}.txt"
        subprocess.run([f"{bin_dir}/gnn-data", "convert", source, "-o", made], check=True)
        again = made + ".2"
        subprocess.run([f"{bin_dir}/gnn-data", "convert", source, "--to=safetensors", "-o", again], check=True)
        checked += 1
        if open(made, "rb").read() != open(again, "rb").read():
            problems.append(f"gnn-data convert {text}.txt: two runs differ")
    for level in ("-O0", "-O1", "-O2", "-O3"):
        seen = []
        for number, where in enumerate((root, folder)):
            out = os.path.join(folder, f"out{number}")
            os.makedirs(out, exist_ok=True)
            subprocess.run([f"{bin_dir}/gnnc", level, "--target=c", f"{root}/examples/gcn.gnn", "--graph", graph, "--weights", weights,
                            "-o", f"{out}/gcn.c"], check=True, cwd=where)
            seen.append({n: open(os.path.join(out, n), "rb").read() for n in sorted(os.listdir(out))})
        checked += 1
        if seen[0] != seen[1]:
            problems.append(f"gnnc {level} examples/gcn.gnn: two runs differ")
        for name, data in seen[0].items():
            if root.encode() in data or folder.encode() in data:
                problems.append(f"gnnc {level}: {name} names an absolute path")
tree.finish("determinism", checked, problems)
