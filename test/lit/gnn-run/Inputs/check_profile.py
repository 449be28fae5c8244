"""Checks the JSON of gnn-run --profile: check_profile.py STATISTICS TRACE MANIFEST."""
import json
import sys

statistics, trace, manifest = (json.load(open(path)) for path in sys.argv[1:])
for phase in ("bind", "run"):
    found = statistics["profile"][phase]
    calls, lines = found["calls"], found["lines"]
    timed = [t["function"] for t in manifest["timed"] if t["phase"] == phase]
    print(f"{phase}:", *(c["function"] for c in calls))
    assert [c["function"] for c in calls] == timed
    assert all(c["calls"] == 1 and c["ms"] >= 0 for c in calls)
    assert sum(c["ms"] for c in calls) <= found["ms"] * 1.001
    assert abs(sum(line["ms"] for line in lines) - sum(c["ms"] for c in calls if "file" in c)) < 1e-6
for call in statistics["profile"]["run"]["calls"]:
    print(f"{call['function']}: {call['flops']:.0f} flops, {call['bytes']:.0f} bytes")
events = [e for e in trace["traceEvents"] if e["ph"] == "X"]
print("events:", len(events))
assert statistics["verify"]["outputs"][0]["agrees"]
assert all(e["dur"] >= 0 and e["ts"] >= 0 and e["cat"] in ("bind", "run") for e in events)
