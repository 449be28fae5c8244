"""A bar chart as SVG: run time per graph and model, one bar per number of threads, logarithmic."""
import math

COLOURS = {1: "#4c78a8", 2: "#f58518"}
BAR, GAP, HEIGHT, LEFT, TOP, BOTTOM = 14, 12, 240, 60, 40, 70


def bars(rows):
    """rows: dicts with graph, model, threads, run_ms."""
    low = math.floor(math.log10(max(min(r["run_ms"] for r in rows), 1e-4)))
    high = math.ceil(math.log10(max(r["run_ms"] for r in rows)) + 1e-9)

    def y(ms):
        return TOP + HEIGHT * (1 - (math.log10(max(ms, 10.0 ** low)) - low) / max(high - low, 1))

    cells = []
    for r in rows:
        key = (r["graph"], r["model"])
        if key not in cells:
            cells.append(key)
    width = LEFT + len(cells) * (2 * BAR + GAP) + 20
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{TOP + HEIGHT + BOTTOM}" font-family="sans-serif" font-size="11">',
           '<rect width="100%" height="100%" fill="white"/>', f'<text x="{LEFT}" y="18">run time, ms (1 thread blue, 2 threads orange)</text>']
    for power in range(low, high + 1):
        at = y(10.0 ** power)
        out.append(f'<line x1="{LEFT}" x2="{width - 10}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{10.0 ** power:g}</text>')
    for r in rows:
        x = LEFT + cells.index((r["graph"], r["model"])) * (2 * BAR + GAP) + GAP + (r["threads"] - 1) * BAR
        top = y(r["run_ms"])
        out.append(f'<rect x="{x}" y="{top:.1f}" width="{BAR - 1}" height="{TOP + HEIGHT - top:.1f}" fill="{COLOURS[r["threads"]]}">'
                   f'<title>{r["graph"]} {r["model"]}, {r["threads"]} threads: {r["run_ms"]} ms</title></rect>')
    for i, (graph, model) in enumerate(cells):
        x, at = LEFT + i * (2 * BAR + GAP) + GAP + BAR, TOP + HEIGHT + 12
        out.append(f'<text transform="translate({x},{at}) rotate(45)">{graph} {model}</text>')
    return "\n".join(out + ["</svg>", ""])
