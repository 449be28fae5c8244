"""A small torch_geometric for tests where the real one is not installed: the same names of classes, attributes and weights, with forwards in
plain PyTorch. It is an oracle of its own: what it computes follows the papers and the documentation of PyTorch Geometric 2.6."""
__version__ = "2.6.1+stub"
