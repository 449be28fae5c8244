"""Stands in for the package safetensors where it is not installed, so that the examples of the documentation run."""
