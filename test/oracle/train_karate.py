"""Writes examples/karate/karate.txt and karate_gcn.txt: the graph, and a two-layer GCN trained on it.

    python3 test/oracle/train_karate.py [FOLDER]

The output is the same on every machine that rounds like IEEE 754: the initial weights are a fixed linear congruential sequence
and the gradients are written out by hand. The mathematics is Kipf and Welling's: logits = A relu(A X W1 + b1) W2 + b2, where
A = D^-1/2 (adjacency + I) D^-1/2 and X is the identity, so the edges are the only input.
"""
import math
import os
import sys

NODES = 34
HIDDEN = 8
CLASSES = 2
# Zachary (1977): the pairs of members who met outside the club. Entry i lists the neighbours of member i with larger
# numbers; members count from 0.
NEIGHBOURS = {
    0: [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31], 1: [2, 3, 7, 13, 17, 19, 21, 30],
    2: [3, 7, 8, 9, 13, 27, 28, 32], 3: [7, 12, 13], 4: [6, 10], 5: [6, 10, 16], 6: [16], 8: [30, 32, 33], 9: [33],
    13: [33], 14: [32, 33], 15: [32, 33], 18: [32, 33], 19: [33], 20: [32, 33], 22: [32, 33],
    23: [25, 27, 29, 32, 33], 24: [25, 27, 31], 25: [31], 26: [29, 33], 27: [33], 28: [31, 33], 29: [32, 33],
    30: [32, 33], 31: [32, 33], 32: [33]}
# The members who joined the instructor (member 0) when the club split; the others stayed with the officers (member 33).
INSTRUCTOR = {0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 16, 17, 19, 21}
LABELLED = [0, 1, 32, 33]  # the labels that training uses: the two leaders and one friend of each
EPOCHS = 400
RATE = 0.02
DECAY = 5e-3


def edges():
    """Both directions of the 78 pairs, sorted by (source, target)."""
    pairs = [(s, t) for s, targets in NEIGHBOURS.items() for t in targets]
    return sorted(pairs + [(t, s) for s, t in pairs])


def check_graph(edge_list):
    degree = [sum(1 for s, _ in edge_list if s == n) for n in range(NODES)]
    assert len(edge_list) == 2 * 78 and degree[0] == 16 and degree[33] == 17 and min(degree) == 1, degree


def propagation(edge_list):
    """The rows of D^-1/2 (A + I) D^-1/2 as lists of (column, value)."""
    rows = [[n] for n in range(NODES)]
    for s, t in edge_list:
        rows[t].append(s)
    return [[(s, 1 / math.sqrt(len(rows[t]) * len(rows[s]))) for s in rows[t]] for t in range(NODES)]


def spmm(a, x):
    return [[sum(v * x[s][k] for s, v in row) for k in range(len(x[0]))] for row in a]


def matmul(x, y):
    return [[sum(p * q for p, q in zip(row, column)) for column in zip(*y)] for row in x]


def transpose(x):
    return [list(column) for column in zip(*x)]


def initial(rows, columns, state):
    """Glorot-uniform numbers from a linear congruential sequence."""
    bound, out = math.sqrt(6 / (rows + columns)), []
    for _ in range(rows):
        row = []
        for _ in range(columns):
            state[0] = (state[0] * 1103515245 + 12345) % 2**31
            row.append((2 * state[0] / 2**31 - 1) * bound)
        out.append(row)
    return out


def forward(a, w):
    z1 = [[v + b for v, b in zip(row, w["b1"][0])] for row in spmm(a, w["w1"])]  # X is the identity: X W1 = W1
    h1 = [[max(v, 0.0) for v in row] for row in z1]
    logits = [[v + b for v, b in zip(row, w["b2"][0])] for row in spmm(a, matmul(h1, w["w2"]))]
    return z1, h1, logits


def gradients(a, w, labels):
    """The gradient of the mean cross-entropy over the labelled members. A is symmetric, so its transpose is A."""
    z1, h1, logits = forward(a, w)
    d2 = [[0.0] * CLASSES for _ in range(NODES)]
    for n in LABELLED:
        top = max(logits[n])
        total = sum(math.exp(v - top) for v in logits[n])
        d2[n] = [(math.exp(v - top) / total - (labels[n] == c)) / len(LABELLED) for c, v in enumerate(logits[n])]
    back = spmm(a, d2)
    d1 = [[g if z > 0 else 0.0 for g, z in zip(gs, zs)] for gs, zs in zip(matmul(back, transpose(w["w2"])), z1)]
    return {"w1": spmm(a, d1), "b1": [[sum(c) for c in zip(*d1)]],
            "w2": matmul(transpose(h1), back), "b2": [[sum(c) for c in zip(*d2)]]}


def train(a, labels):
    """Adam with weight decay."""
    state = [3]
    w = {"w1": initial(NODES, HIDDEN, state), "b1": [[0.0] * HIDDEN],
         "w2": initial(HIDDEN, CLASSES, state), "b2": [[0.0] * CLASSES]}
    first = {k: [[0.0] * len(m[0]) for _ in m] for k, m in w.items()}
    second = {k: [[0.0] * len(m[0]) for _ in m] for k, m in w.items()}
    for step in range(1, EPOCHS + 1):
        grads = gradients(a, w, labels)
        for k, matrix in w.items():
            for i, row in enumerate(matrix):
                for j, value in enumerate(row):
                    g = grads[k][i][j] + DECAY * value
                    first[k][i][j] = m = 0.9 * first[k][i][j] + 0.1 * g
                    second[k][i][j] = v = 0.999 * second[k][i][j] + 0.001 * g * g
                    row[j] = value - RATE * (m / (1 - 0.9**step)) / (math.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return w


def write_tensor(f, name, dtype, shape, values, per_line):
    f.write(f"\ntensor {name} {dtype} {' '.join(map(str, shape))}\n")
    for i in range(0, len(values), per_line):
        f.write(" ".join(str(v) for v in values[i:i + per_line]) + "\n")


def write_graph(path, edge_list, labels):
    with open(path, "w") as f:
        f.write("# Zachary's karate club: W. W. Zachary, An Information Flow Model for Conflict and Fission in Small\n"
                "# Groups, Journal of Anthropological Research 33 (1977) 452-473. Members count from 0.\n"
                "metadata name karate\nmetadata num_features 34\nmetadata num_classes 2\n")
        write_tensor(f, "edge_index", "i64", [2, len(edge_list)], [e[r] for r in (0, 1) for e in edge_list], 26)
        f.write("\n# No features: each member is known by its number.\n")
        write_tensor(f, "x", "f32", [NODES, NODES], [int(i == j) for i in range(NODES) for j in range(NODES)], NODES)
        f.write("\n# 0: went with the instructor, member 0. 1: stayed with the officers, member 33.\n")
        write_tensor(f, "y", "i32", [NODES], labels, NODES)
        write_tensor(f, "train_mask", "u8", [NODES], [int(n in LABELLED) for n in range(NODES)], NODES)
        write_tensor(f, "test_mask", "u8", [NODES], [int(n not in LABELLED) for n in range(NODES)], NODES)


def write_weights(path, w):
    """Linear weights are stored [out, in], as PyTorch Geometric does."""
    def tensor(name, matrix, shape):
        text = [f"{v:.5f}" for row in matrix for v in row]
        write_tensor(f, name, "f32", shape, text, shape[-1])

    with open(path, "w") as f:
        f.write("# A two-layer GCN for karate.txt, trained by test/oracle/train_karate.py on four labelled members.\n"
                "metadata name karate_gcn\n")
        tensor("conv1.lin.weight", transpose(w["w1"]), [HIDDEN, NODES])
        tensor("conv1.bias", w["b1"], [HIDDEN])
        tensor("conv2.lin.weight", transpose(w["w2"]), [CLASSES, HIDDEN])
        tensor("conv2.bias", w["b2"], [CLASSES])


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(root, "examples", "karate")
    edge_list = edges()
    check_graph(edge_list)
    labels = [int(n not in INSTRUCTOR) for n in range(NODES)]
    a = propagation(edge_list)
    w = train(a, labels)
    logits = forward(a, w)[2]
    right = sum((row[1] > row[0]) == label for row, label in zip(logits, labels))
    write_graph(os.path.join(folder, "karate.txt"), edge_list, labels)
    write_weights(os.path.join(folder, "karate_gcn.txt"), w)
    wrong = [n for n in range(NODES) if (logits[n][1] > logits[n][0]) != labels[n]]
    print(f"{right}/{NODES} members placed right; wrong: {wrong}; smallest margin "
          f"{min(abs(r[1] - r[0]) for r in logits):.3f}")


if __name__ == "__main__":
    main()
