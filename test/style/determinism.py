"""The same input gives the same bytes: two runs of gnn-data agree, and every example compiles to the same bytes from two working
directories."""
import math
import os
import re
import shutil
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
    # typed models read an embedding of each node; hgt's input is heads * width = 4 * 3 columns wide
    typed = os.path.join(folder, "typed.safetensors")
    subprocess.run([f"{bin_dir}/gnn-data", "generate", "--kind=uniform", "--nodes=40", "--edges=200", "--edge-types=3", "--node-types=2",
                    "--features=12", "-o", f"{folder}/plain.txt"], check=True)
    embedded = open(f"{folder}/plain.txt", encoding="utf-8").read().replace("tensor x ", "tensor node_emb.weight ")
    with open(f"{folder}/typed.txt", "w", encoding="utf-8") as file:
        file.write(embedded)
    subprocess.run([f"{bin_dir}/gnn-data", "convert", f"{folder}/typed.txt", "-o", typed], check=True)
    # the number of bases is the first size of conv1.weight alone
    shapes = {"weight": "2 {} {}", "comp": "3 2", "root": "{} {}", "bias": "{1}"}
    with open(f"{folder}/bases.txt", "w", encoding="utf-8") as file:
        for layer, rows, columns in (("conv1", 12, 4), ("conv2", 4, 2)):
            for name, shape in shapes.items():
                shape = shape.format(rows, columns)
                file.write(f"tensor {layer}.{name} f32 {shape}\n{'0 ' * math.prod(map(int, shape.split()))}\n")
    subprocess.run([f"{bin_dir}/gnn-data", "convert", f"{folder}/bases.txt", "-o", f"{folder}/bases.safetensors"], check=True)
    for example in tree.files(".gnn"):
        if not example.startswith("examples/"):
            continue
        is_typed = "node_emb.weight" in tree.read(example)
        values = {"F": 12 if is_typed else 34, "H": 4, "D": 3, "C": 2}
        sizes = [f"--dim={name}={value}" for name, value in values.items() if re.search(rf"\b{name}\b", tree.read(example))]
        for level in ("-O0", "-O1", "-O2", "-O3"):
            seen = []
            for number, where in enumerate((root, folder)):
                out = os.path.join(folder, f"out{number}")
                shutil.rmtree(out, ignore_errors=True)
                os.makedirs(out)
                subprocess.run([f"{bin_dir}/gnnc", level, "--target=c", f"{root}/{example}", "--graph", typed if is_typed else graph,
                                *sizes, *(["--weights", f"{folder}/bases.safetensors"] if "rgcn_basis" in example else []), "-o", f"{out}/m.c"],
                               check=True, cwd=where, stderr=subprocess.DEVNULL)
                seen.append({n: open(os.path.join(out, n), "rb").read() for n in sorted(os.listdir(out))})
            checked += 1
            if seen[0] != seen[1]:
                problems.append(f"gnnc {level} {example}: two runs differ")
            for name, data in seen[0].items():
                if root.encode() in data or folder.encode() in data:
                    problems.append(f"gnnc {level} {example}: {name} names an absolute path")
tree.finish("determinism", checked, problems)
