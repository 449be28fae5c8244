"""Calls of library layers (registered once the library is there)."""
