"""Prints a matrix of this many rows and columns: two entries in each row, and a row with an entry in each column."""
import sys

rows, columns = int(sys.argv[1]), int(sys.argv[2])
entries = [(r, (r * 7 + 3 * i) % columns, (r * 5 + i) % 9 - 4.5) for r in range(rows) for i in range(2)]
entries += [(rows // 2, c, 0.25 * (c % 5 + 1)) for c in range(columns)]
print("%%MatrixMarket matrix coordinate real general")
print(rows, columns, len(entries))
for row, column, value in entries:
    print(row + 1, column + 1, value)
