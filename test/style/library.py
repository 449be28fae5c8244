"""The table of the layer library in docs/language.md is that of frontend/library: each layer with its parameters and the module that it is.

    python3 library.py [--write]

The median of the layers that are operators of PyTorch Geometric's nn/conv has at most 15 lines without its comment. --write writes the table anew, from the headers of the layers and the comments above them.
"""
import glob
import os
import re
import sys

import tree

MOST_LINES = 15  # of the median operator
PAGE = "docs/language.md"
HEAD = "| layer | in PyTorch Geometric |\n|---|---|\n"
LAYER = re.compile(r"((?:^#[^\n]*\n)*)^layer (\w+)\((.*?)\) \{$", re.MULTILINE | re.DOTALL)
MODULE = re.compile(r"PyTorch(?: Geometric)?'s ((?:models\.|utils\.|gcn_norm|[A-Z])\w*(?:\([^)]*\))?(?: and [A-Z]\w+)?)")


def signature(name, parameters):
    """gcn_conv(g, x, out, edge_weight = none): names and defaults alone."""
    plain = re.sub(r"\s+", " ", parameters)
    plain = re.sub(r": (?:(?:node|edge|graph|etype|ntype) )?\w+(?:\[[^\]]*\])?(?=,| =|$)", "", plain)
    return f"`{name}({plain})`"


def rows():
    """Rows of the table, in the order of the files; and the layers without a comment."""
    made, bare = [], []
    for path in sorted(glob.glob("frontend/library/*.gnn")):
        for comment, name, parameters in LAYER.findall(tree.read(path)):
            text = re.sub(r"\n# ?", " ", comment)
            modules = MODULE.findall(text)
            made.append(f"| {signature(name, parameters)} | {', '.join(m.strip() for m in modules)} |\n")
            if not comment and LAYER.search(tree.read(path)).group(2) == name:
                bare.append(f"{path}: no comment above '{name}'")
    return made, bare


def lines_of_operators():
    """The lines of each layer that is an operator (a module called ...Conv), sorted."""
    found = []
    for path in sorted(glob.glob("frontend/library/*.gnn")):
        text = tree.read(path)
        for match in LAYER.finditer(text):
            modules = MODULE.findall(re.sub(r"\n# ?", " ", match[1]))
            body = match[0][len(match[1]):] + text[match.end():text.index("\n}", match.end()) + 2]
            if any(re.match(r"\w+Conv\b", m) for m in modules):
                found.append(sum(1 for line in body.split("\n") if line.split("#")[0].strip()))
    return sorted(found)


def main():
    page = tree.read(PAGE)
    table, problems = rows()
    begin = page.find(HEAD)
    if begin < 0:
        tree.finish("library", 0, [f"{PAGE}: no table that begins with {HEAD.splitlines()[0]}"])
    end = page.index("\n\n", begin) + 1
    wanted = HEAD + "".join(table)
    if "--write" in sys.argv:
        with open(os.path.join(PAGE), "w", encoding="utf-8") as f:
            f.write(page[:begin] + wanted + page[end:])
    elif page[begin:end] != wanted:
        problems.append(f"{PAGE}: the table of the layer library differs from frontend/library; 'python3 test/style/library.py --write' writes it")
    lines = lines_of_operators()
    median = lines[len(lines) // 2]
    print(f"library: {len(lines)} operators, median {median} lines, largest {lines[-1]}")
    if median > MOST_LINES:
        problems.append(f"frontend/library: the median operator has {median} lines, at most {MOST_LINES} are wanted")
    tree.finish("library", len(table), problems)


main()
