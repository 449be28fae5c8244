"""Writes small folders as the Open Graph Benchmark has them: ogb.py FOLDER graph|batch|typed|archive|links."""
import gzip
import os
import struct
import sys
import zipfile

root = sys.argv[1]


def put(path, text):
    path = os.path.join(root, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with gzip.GzipFile(path, "wb", mtime=0) as f:
        f.write(text.encode())


def put_graph():
    put("raw/edge.csv.gz", "2,1\n0,1\n0,2\n3,3\n")
    put("raw/node-feat.csv.gz", "0.5,1\n1,2\n-3,4e-1\n0,0\n")
    put("raw/node-label.csv.gz", "1\n0\n2\n1\n")
    put("raw/node_year.csv.gz", "2001\n2002\n2003\n2004\n")
    put("raw/edge-feat.csv.gz", "30,31\n10,11\n20,21\n40,41\n")
    put("raw/edge_weight.csv.gz", "3\n1\n2\n0.5\n")
    put("raw/num-node-list.csv.gz", "4\n")
    put("raw/num-edge-list.csv.gz", "4\n")
    put("mapping/README.md.gz", "not read")
    for name, rows in (("train", "0\n3\n"), ("valid", "1\n"), ("test", "2\n")):
        put("split/time/%s.csv.gz" % name, rows)


def put_batch():
    put("raw/edge.csv.gz", "0,1\n1,0\n0,2\n")
    put("raw/node-feat.csv.gz", "5\n6\n7\n8\n9\n")
    put("raw/graph-label.csv.gz", "1,\n0,1\n")
    put("raw/num-node-list.csv.gz", "2\n3\n")
    put("raw/num-edge-list.csv.gz", "2\n1\n")
    put("split/scaffold/train.csv.gz", "1\n")
    put("split/scaffold/valid.csv.gz", "0\n")
    put("split/scaffold/test.csv.gz", "")


def put_typed():
    put("raw/num-node-dict.csv.gz", "paper,author\n3,2\n")
    put("raw/triplet-type-list.csv.gz", "paper,cites,paper\nauthor,writes,paper\n")
    put("raw/nodetype-has-feat.csv.gz", "author,paper\nFalse,True\n")
    put("raw/relations/paper___cites___paper/edge.csv.gz", "0,2\n2,1\n")
    put("raw/relations/paper___cites___paper/edge_reltype.csv.gz", "0\n0\n")
    put("raw/relations/author___writes___paper/edge.csv.gz", "0,0\n1,2\n")
    put("raw/relations/author___writes___paper/num-edge-list.csv.gz", "2\n")
    put("raw/node-feat/paper/node-feat.csv.gz", "1,2\n3,4\n5,6.5\n")
    put("raw/node-feat/paper/node_year.csv.gz", "2015\n2016\n2017\n")
    put("raw/node-label/paper/node-label.csv.gz", "7\n8\n9\n")
    put("split/time/paper/train.csv.gz", "0\n")
    put("split/time/paper/valid.csv.gz", "1\n")
    put("split/time/paper/test.csv.gz", "2\n")


def npy(kind, shape, numbers):
    header = "{'descr': '<%s', 'fortran_order': False, 'shape': %s, }\n" % (kind, shape)
    data = struct.pack("<%d%s" % (len(numbers), {"i8": "q", "f4": "f"}[kind]), *numbers)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def put_archive():
    os.makedirs(os.path.join(root, "raw"), exist_ok=True)
    with zipfile.ZipFile(os.path.join(root, "raw/data.npz"), "w") as z:
        z.writestr("edge_index.npy", npy("i8", (2, 3), [0, 1, 0, 1, 2, 2]))
        z.writestr("num_nodes_list.npy", npy("i8", (1,), [3]))
        z.writestr("num_edges_list.npy", npy("i8", (1,), [3]))
        z.writestr("node_feat.npy", npy("f4", (3, 1), [0.5, 1.5, 2.5]))
        z.writestr("edge_feat.npy", npy("f4", (3, 1), [1, 2, 3]))
    with zipfile.ZipFile(os.path.join(root, "raw/node-label.npz"), "w") as z:
        z.writestr("node_label.npy", npy("f4", (3, 1), [float("nan"), 1, 0]))


def put_links():
    put("raw/edge.csv.gz", "0,1\n1,2\n")
    put("raw/edge_reltype.csv.gz", "4\n0\n")
    put("raw/node-label.csv.gz", "red\nblue\ngreen\n")
    put("raw/num-node-list.csv.gz", "3\n")
    put("raw/num-edge-list.csv.gz", "2\n")


{"graph": put_graph, "batch": put_batch, "typed": put_typed, "archive": put_archive, "links": put_links}[sys.argv[2]]()
