"""Adds the folders of the end-to-end tests, of the oracle and of the tests' machines to sys.path: import suite_path first."""
import glob
import os
import sys

TEST = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
for folder in (f"{TEST}/e2e", f"{TEST}/oracle", *sorted(glob.glob(f"{TEST}/machines/*/"))):
    sys.path.insert(0, folder)
