"""Checks docs/language.md: every ```gnn block compiles to the gnn level, every fragment parses, and every function,
library layer and keyword is mentioned. The first block binds its sizes from the karate club's files (style.docs runs it);
here its sizes may be unbound. Usage: check_language.py SOURCE_DIR WORK_DIR"""
import json
import os
import re
import struct
import subprocess
import sys

source, work = sys.argv[1], sys.argv[2]
text = open(os.path.join(source, "docs", "language.md"), encoding="utf-8").read()
failures = 0


def fail(message):
    global failures
    failures += 1
    print(message)


def typed_graph(path):
    """Writes a graph of three nodes and three edges, each of two types, which determines the sizes of a relational model."""
    tensors = {
        "edge_index": ("I64", [2, 3], struct.pack("<6q", 0, 1, 2, 1, 2, 0)),
        "edge_type": ("I64", [3], struct.pack("<3q", 0, 1, 0)),
        "node_type": ("I64", [3], struct.pack("<3q", 0, 1, 1)),
        "x": ("F32", [3, 8], bytes(3 * 8 * 4)),
    }
    header, data = {}, b""
    for name, (dtype, shape, content) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    head = json.dumps(header).encode()
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(head)) + head + data)


def compile_block(number, kind, block):
    path = os.path.join(work, "block%d.gnn" % number)
    command = ["gnnc", "--emit=gnn", path]
    if kind == "fragment":
        command = ["gnnc", "--emit=ast", path]
        with open(os.path.join(work, "blocks.gnn"), "w", encoding="utf-8") as out:
            out.write("# an import\n")
    elif kind == "relational":
        typed_graph(os.path.join(work, "typed.safetensors"))
        command += ["--graph", os.path.join(work, "typed.safetensors")]
    with open(path, "w", encoding="utf-8") as out:
        out.write(block)
    run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    ids = set(re.findall(r"error: .*\[([a-z-]+)\]$", run.stderr, re.M))
    if run.returncode and (number or ids != {"unbound-dimension"}):
        fail("block %d (%s):\n%s\n%s" % (number, kind or "complete", block, run.stderr))


os.makedirs(work, exist_ok=True)
blocks = re.findall(r"^```gnn *(\w*)\n(.*?)^```$", text, re.M | re.S)
for number, (kind, block) in enumerate(blocks):
    compile_block(number, kind, block)
if len(blocks) < 15:
    fail("only %d blocks found" % len(blocks))

functions = open(os.path.join(source, "frontend", "functions.def"), encoding="utf-8").read()
names = re.findall(r"^FUNCTION\((\w+)", functions, re.M)
table = open(os.path.join(source, "support", "elementwise.def"), encoding="utf-8").read()
names += re.findall(r"^UNARY\((\w+), function", table, re.M) + re.findall(r"^BINARY\((\w+), binary", table, re.M)
for name in sorted(os.listdir(os.path.join(source, "frontend", "library"))):
    if name.endswith(".gnn"):
        library = open(os.path.join(source, "frontend", "library", name), encoding="utf-8").read()
        names += re.findall(r"^layer (\w+)", library, re.M)
lexer = open(os.path.join(source, "frontend", "syntax", "lexer.l"), encoding="utf-8").read()
names += re.findall(r'^"([a-z0-9]+)" +\{ WORD', lexer, re.M)
for name in names:
    if not re.search(r"\b%s\b" % name, text):
        fail("docs/language.md does not mention '%s'" % name)

print("%d blocks, %d names, %d failures" % (len(blocks), len(names), failures))
sys.exit(failures > 0)
