"""Checks the timeline of ranks: check_ranks_trace.py TRACE. On each track an exchange holds its beginning, the kernel over interior nodes and its end, in this order; the
same kernel over the others comes behind it. Prints the shape of each track."""
import json
import sys

SLACK = 0.01  # microseconds, of rounding

trace = json.load(open(sys.argv[1]))["traceEvents"]
tracks = {e["tid"]: e["args"]["name"] for e in trace if e["ph"] == "M"}


def end(event):
    return event["ts"] + event["dur"]


for track, name in tracks.items():
    events = sorted((e for e in trace if e["ph"] == "X" and e["tid"] == track), key=lambda e: (e["ts"], -e["dur"]))
    assert all(e["ts"] >= 0 and e["dur"] >= 0 for e in events)
    print(f"{name}:")
    for exchange in (e for e in events if e["name"] == "exchange"):
        inside = [e for e in events if e is not exchange and exchange["ts"] - SLACK <= e["ts"] and end(e) <= end(exchange) + SLACK]
        assert [e["name"] for e in inside][::len(inside) - 1] == ["begin_exchange", "end_exchange"]
        assert all(end(a) <= b["ts"] + SLACK for a, b in zip(inside, inside[1:]))
        assert all(e["args"]["rows"] == "interior" for e in inside[1:-1])
        after = next((e for e in events if e["ts"] >= end(exchange) - SLACK and e not in inside), None)
        rest = f", then {after['name']} {after['args']['rows']}" if after and "rows" in after["args"] else ""
        assert bool(rest) == (len(inside) > 2) and (not rest or after["name"] == inside[1]["name"] and after["args"]["rows"] == "boundary")
        print(f"  {exchange['cat']} exchange of {exchange['args']['value']}: {' '.join(e['name'] for e in inside[1:-1]) or 'nothing'} meanwhile{rest}")
    print(f"  calls: {sum(e['name'] not in ('exchange', 'begin_exchange') for e in events)}")
