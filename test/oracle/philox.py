"""Random numbers of a counter, as dropout and the first values of weights use them: Philox4x32-10 (Salmon et al. 2011).

    words(key, (a, b, c, d))                        four random words
    kept(seed, step, site, row, columns, p)         for each column whether dropout keeps it
"""
MASK = 0xFFFFFFFF


def words(key, counter):
    k0, k1 = key & MASK, key >> 32 & MASK
    a, b, c, d = counter
    for _ in range(10):
        p, q = a * 0xD2511F53, c * 0xCD9E8D57
        a, b, c, d = q >> 32 ^ b ^ k0, q & MASK, p >> 32 ^ d ^ k1, p & MASK
        k0, k1 = k0 + 0x9E3779B9 & MASK, k1 + 0xBB67AE85 & MASK
    return a, b, c, d


def kept(seed, step, site, row, columns, p):
    """`row` is a node, or an edge in the order of the caller; an edge that the model adds at a node has the number of edges plus
    the node's number."""
    numbers = []
    for block in range((columns + 3) // 4):
        numbers += words(seed, (row & MASK, block, step & MASK, site))
    return [n >= p * 2.0 ** 32 for n in numbers[:columns]]
