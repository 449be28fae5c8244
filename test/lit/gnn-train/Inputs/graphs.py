"""Prints a batch of 12 graphs of two nodes, as text of gnn-data: x of the nodes of a graph is its class."""
labels = [0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0]
print(f"tensor edge_index i64 2 {2 * len(labels)}")
print(*range(2 * len(labels)))
print(*(n ^ 1 for n in range(2 * len(labels))))
print(f"tensor batch i32 {2 * len(labels)}")
print(*(n // 2 for n in range(2 * len(labels))))
print(f"tensor x f32 {2 * len(labels)} 2")
print(*(f"{y} 1" for y in labels for _ in range(2)))
print(f"tensor y i32 {len(labels)}")
print(*labels)
