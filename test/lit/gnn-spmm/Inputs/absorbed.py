"""Prints a row of 2^24 and 1000 ones: in fp32 each 1 that is added to 2^24 is lost."""
print("%%MatrixMarket matrix coordinate real general\n1 1001 1001\n1 1 16777216")
for column in range(2, 1002):
    print(1, column, 1)
