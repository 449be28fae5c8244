"""docs/devices/paper.svg and equal.svg: the time of each device by layer, a panel for each model and a bar for each device."""
import html

from devices_page import label

WIDTH, LEFT, BAR, GAP, TOP, COLUMNS = 380, 150, 13, 4, 20, 2
PANEL_GAP = 20
TITLES = {"paper": "the papers' devices", "equal": "equal devices"}
# Neighbouring layers have different shades
SHADES = ("#1f6fb4", "#e08214", "#4d9a54", "#8a63b8", "#c0504d", "#5aa8c7")


def layers_of(program):
    """(ms, name) of each layer, in the order of execution."""
    cycle_ms = 1e-6 * program["statistics"]["device"]["cycle_ns"]
    found = sorted(program["statistics"]["layers"], key=lambda layer: layer["begin"])
    return [(cycle_ms * layer["cycles"], f"{layer['name'] or layer['id']} ({layer['type']})") for layer in found if layer["cycles"]]


def bars_of(result):
    """(device, total ms, layers) of each program that has a device."""
    return [(label(p), p["device_ms"], layers_of(p)) for p in result["programs"] if p.get("cycles")]


def bar(x, y, scale, total, layers):
    """Stacked layers; where they overlap in time their lengths are cut to the time of the whole."""
    whole = sum(ms for ms, _ in layers) or 1
    shrink = min(1, total / whole)
    at, parts = x, []
    for i, (ms, name) in enumerate(layers):
        length = ms * shrink * scale
        parts.append(f'<rect x="{at:.2f}" y="{y}" width="{length:.2f}" height="{BAR}" fill="{SHADES[i % len(SHADES)]}"><title>{html.escape(name)}: {ms:.4g} ms</title></rect>')
        at += length
    return parts


def panel(x, y, title, bars):
    longest = max(total for _, total, _ in bars)
    room = WIDTH - LEFT - 62
    parts = [f'<text x="{x}" y="{y + 11}" class="title">{html.escape(title)}</text>']
    for i, (device, total, layers) in enumerate(bars):
        top = y + TOP + i * (BAR + GAP)
        parts.append(f'<text x="{x + LEFT - 6}" y="{top + BAR - 3}" text-anchor="end">{html.escape(device)}</text>')
        parts += bar(x + LEFT, top, room / longest, total, layers)
        parts.append(f'<text x="{x + LEFT + total * room / longest + 4:.1f}" y="{top + BAR - 3}">{total:.3g} ms</text>')
    return parts


def picture(kind, tables):
    """The text of the SVG. Each panel has a scale of its own."""
    panels = [(f"{case.model}, {case.graph_name}", bars_of(result)) for case, result in tables]
    panels = [(title, bars) for title, bars in panels if bars]
    height = max((TOP + len(bars) * (BAR + GAP) for _, bars in panels), default=0) + PANEL_GAP
    rows = -(-len(panels) // COLUMNS)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {COLUMNS * WIDTH + 20} {rows * height + 24}" font-family="sans-serif" font-size="11">',
             "<style>text{fill:#222}.title{font-weight:bold}@media(prefers-color-scheme:dark){text{fill:#ddd}}</style>", f"<title>Time of the device by layer, {TITLES[kind]}</title>"]
    for i, (title, bars) in enumerate(panels):
        parts += panel(10 + i % COLUMNS * WIDTH, 8 + i // COLUMNS * height, title, bars)
    parts += [f'<text x="10" y="{rows * height + 14}">A colour is a layer of the program, in its order; link and host are not in the bars. Each panel has its own scale.</text>', "</svg>"]
    return "\n".join(parts) + "\n"
