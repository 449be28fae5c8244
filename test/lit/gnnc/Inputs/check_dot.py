"""Checks graphs for Graphviz from standard input: nodes are defined once, edges join them, brackets close; renders where dot is installed."""
import re
import shutil
import subprocess
import sys

text = sys.stdin.read()
nodes = re.findall(r"^\s*(n\d+) \[label=", text, re.M)
edges = re.findall(r"^  (n\d+) -> (n\d+) \[(?:label=\"[^\"]*\"|style=dotted)\];$", text, re.M)
assert len(nodes) == len(set(nodes)), "a node is defined twice"
assert len(edges) == text.count("->"), "a line is no edge"
assert {end for edge in edges for end in edge} <= set(nodes), "an edge joins no node"
plain = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
assert plain.count("{") == plain.count("}"), "a bracket is open"
if shutil.which("dot"):
    subprocess.run(["dot", "-Tsvg", "-o", "/dev/null"], input=text, text=True, check=True)
print(len(nodes), "nodes,", len(edges), "edges,", text.count("subgraph"), "clusters")
