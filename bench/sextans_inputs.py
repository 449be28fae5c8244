"""The matrices of bench/sextans.py, as files of gnn-spmm: those of --shared, matrices of graphs, the reconstructed crystm03, dense rows, and copies with another order of columns."""
import array
import glob
import itertools
import os

import tensors

LEFT_OUT = "west0067"  # 67 rows: a PE has one or two of them
GRAPHS = {"S of Cora": "cora", "S of Citeseer": "citeseer", "S of Pubmed": "pubmed_structure", "A of FB15k-237": "fb15k_237", "A of Enron": "email_enron",
          "A of Epinions": "soc_epinions1"}
CRYSTM03 = (8, 21, 49)  # nodes of the grid; three unknowns per node
ORDERS = ["falling", "dealt", "heavy rows dealt"]


def read_int(path, name):
    """An int32 tensor as an array."""
    header, start = tensors.read_header(path)
    tensor = header[name]
    if tensor["dtype"] not in ("I32", "I64", "F32"):
        raise ValueError(f"{path}: {name} is {tensor['dtype']}")
    begin, end = tensor["data_offsets"]
    made = array.array({"I32": "i", "I64": "q", "F32": "f"}[tensor["dtype"]])
    with open(path, "rb") as f:
        f.seek(start + begin)
        made.frombytes(f.read(end - begin))
    return made


def write_csr(path, rows, columns, entries):
    """Writes a matrix from rows of (column, value) pairs; values are left out where all are 1."""
    starts, indices, values = array.array("i", [0]), array.array("i"), array.array("f")
    for row in entries:
        for column, value in row:
            indices.append(column)
            values.append(value)
        starts.append(len(indices))
    parts = [("adj_indptr", "I32", [rows + 1], starts.tobytes()), ("adj_indices", "I32", [len(indices)], indices.tobytes())]
    if any(v != 1 for v in values):
        parts.append(("adj_data", "F32", [len(values)], values.tobytes()))
    tensors.write(path, parts, {"rows": str(rows), "cols": str(columns)})


def read_csr(path):
    """(rows, columns, [row of (column, value)]) of a matrix in CSR form, or of a graph's A; +0.0 is left out as gnn-spmm does."""
    header, _ = tensors.read_header(path)
    about = header["__metadata__"]
    if "adj_indptr" in header:
        starts, indices = read_int(path, "adj_indptr"), read_int(path, "adj_indices")
        values = read_int(path, "adj_data") if "adj_data" in header else array.array("f", [1.0]) * len(indices)
        made = [[(indices[i], values[i]) for i in range(starts[r], starts[r + 1]) if str(values[i]) != "0.0"] for r in range(int(about["rows"]))]
        return int(about["rows"]), int(about["cols"]), made
    nodes, ends = int(about["num_nodes"]), read_int(path, "edge_index")
    made, count = [[] for _ in range(nodes)], len(ends) // 2
    for s, d in zip(ends[:count], ends[count:]):
        made[d].append((s, 1.0))
    return nodes, nodes, made


def normalised(path):
    """S = D^-1/2 (A + I) D^-1/2 of a graph."""
    nodes, _, rows = read_csr(path)
    degree = [1 + len(row) for row in rows]
    return nodes, nodes, [sorted([(s, (degree[r] * degree[s])**-0.5) for s, _ in row] + [(r, 1 / degree[r])]) for r, row in enumerate(rows)]


def unique(path):
    """A of a graph with one entry per pair of nodes."""
    nodes, _, rows = read_csr(path)
    return nodes, nodes, [[(s, 1.0) for s in sorted({s for s, _ in row})] for row in rows]


def crystm03(grid=CRYSTM03):
    """The pattern of the 27-point mass matrix of a grid of hexahedra. Its numbers of rows (24,696) and of non-zeros (583,770) are those of crystm03, which determine
    the sizes of the grid; the numbering of its nodes is assumed."""
    x, y, z = grid
    rows = []
    for i, j, k, unknown in itertools.product(range(x), range(y), range(z), range(3)):
        near = itertools.product(range(max(0, i - 1), min(x, i + 2)), range(max(0, j - 1), min(y, j + 2)), range(max(0, k - 1), min(z, k + 2)))
        rows.append([(3 * ((a * y + b) * z + c) + unknown, 1.0) for a, b, c in near])
    return len(rows), len(rows), rows


def order_columns(columns, rows, order):
    """The new number of each column.

    falling: columns with many non-zeros first; dealt: the same, each to the next window in turn; heavy rows dealt: columns of the row with most non-zeros first, then those of the
    next row, and so on, each to the next window in turn, so that no window has most of a row."""
    windows = -(-columns // 4096)
    if order == "heavy rows dealt":
        sequence, is_there = [], bytearray(columns)
        for row in sorted(rows, key=len, reverse=True):
            for column, _ in row:
                if not is_there[column]:
                    is_there[column] = 1
                    sequence.append(column)
        sequence += [c for c in range(columns) if not is_there[c]]
    else:
        degree = [0] * columns
        for row in rows:
            for column, _ in row:
                degree[column] += 1
        sequence = sorted(range(columns), key=lambda c: -degree[c])
    if order != "falling":
        sequence = [c for w in range(windows) for c in sequence[w::windows]]
    number = [0] * columns
    for place, column in enumerate(sequence):
        number[column] = place
    return number


def hubs():
    """A small matrix with long rows and unused columns."""
    return 700, 9000, [[(c, 1.0) for c in range(r % 7, 9000, 9 if r < 5 else 900)] for r in range(700)]


FIGURE_5 = [(0, 0), (0, 2), (0, 3), (1, 1), (2, 0), (2, 1), (2, 2), (3, 0), (3, 2), (3, 3)]


def figure_5():
    """The paper's Fig. 5, with its four rows in PE 0."""
    return 193, 4, [[(c, 1.0) for row, c in FIGURE_5 if 64 * row == r] for r in range(193)]


MADE = {"figure 5": figure_5, "crystm03": crystm03, "grid": lambda: crystm03((4, 5, 6)), "hubs": hubs}


class Matrices:
    """Files of matrices, made once and kept in a folder."""

    def __init__(self, shared, out):
        self.shared, self.out = f"{shared}/data/graphs", out
        os.makedirs(out, exist_ok=True)

    def has_shared(self):
        return os.path.isdir(self.shared)

    def made(self, name, make):
        path = f"{self.out}/{name.replace(' ', '_')}.safetensors"
        if not os.path.exists(path):
            write_csr(f"{path}.part", *make())
            os.replace(f"{path}.part", path)
        return path

    def names(self):
        """The 27 matrices."""
        found = sorted(os.path.basename(p)[4:-12] for p in glob.glob(f"{self.shared}/mtx_*.safetensors"))
        return [n for n in found if n != LEFT_OUT] + list(GRAPHS)

    def path(self, name):
        if name in MADE:
            return self.made(name, MADE[name])
        if name not in GRAPHS:
            return f"{self.shared}/mtx_{name}.safetensors"
        source = f"{self.shared}/{GRAPHS[name]}.safetensors"
        return self.made(name, lambda: normalised(source) if name.startswith("S") else unique(source))

    def dense(self, rows, columns):
        return self.made(f"dense {rows} {columns}", lambda: (rows, columns, ([(c, 1.0) for c in range(columns)] for _ in range(rows))))

    def without_empty_rows(self, name):
        def make():
            _, columns, rows = read_csr(self.path(name))
            kept = [row for row in rows if row]
            return len(kept), columns, kept
        return self.made(f"{name} rows", make)

    def ordered(self, name, order):
        """A copy with another order of columns. Columns without non-zeros are left out first, as the compiler does."""
        def make():
            _, columns, rows = read_csr(self.path(name))
            used = sorted({c for row in rows for c, _ in row})
            dense = {c: i for i, c in enumerate(used)}
            rows = [[(dense[c], v) for c, v in row] for row in rows]
            number = order_columns(len(used), rows, order)
            return len(rows), len(used), [sorted((number[c], v) for c, v in row) for row in rows]
        return self.made(f"{name} {order}", make)
