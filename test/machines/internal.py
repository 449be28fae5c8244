"""A target of a machine that breaks a rule of the compiler: gnnc says so and keeps the IR that the target was given, which gnn-opt reads.

    python3 internal.py --bin build/test/machines --tools build/bin
"""
import argparse
import os
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("--bin", required=True, help="programs with the machine toy")
parser.add_argument("--tools", required=True, help="gnn-data and gnn-opt")
options = parser.parse_args()
examples = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples")
with tempfile.TemporaryDirectory() as folder:
    graph, kept = f"{folder}/k.safetensors", f"{folder}/kept.mlir"
    subprocess.run([f"{options.tools}/gnn-data", "convert", f"{examples}/karate/karate.txt", "-o", graph], check=True)
    command = [f"{options.bin}/gnnc", "--target=toy", f"{examples}/gcn.gnn", "--graph", graph, "--dim=H=4", "--dim=C=2", "--no-data",
               f"--reproducer={kept}", "-o", f"{folder}/o.bin"]
    good = subprocess.run(command, capture_output=True, text=True)
    assert good.returncode == 0 and not os.path.exists(kept), good.stderr
    os.remove(f"{folder}/o.bin")
    bad = subprocess.run(command + ["--device-set=name=broken"], capture_output=True, text=True)
    assert bad.returncode == 1 and "[internal]" in bad.stderr, bad.stderr
    assert f"the IR that target 'toy' was given is in {kept}" in bad.stderr, bad.stderr
    assert not os.path.exists(f"{folder}/o.bin")
    read = subprocess.run([f"{options.tools}/gnn-opt", kept], capture_output=True, text=True)
    assert read.returncode == 0 and '"device.' in read.stdout, read.stderr
print("the IR is kept, and gnn-opt reads it")
sys.exit(0)
