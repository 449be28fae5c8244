"""Puts the folders of the end-to-end tests and of the oracle in reach: import suite_path first."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("e2e", "oracle", "machines/toy"):
    sys.path.insert(0, os.path.join(HERE, "..", folder))
