"""docs/devices/sextans_schedule.svg: the lists of 64 PEs in the first window of a matrix, by the published rule and by ours."""
ROW, WIDTH, LEFT, TOP = 3, 760, 60, 26


def runs_of(filled):
    """(begin, end) of each run of non-zeros."""
    begin, found = None, []
    for i, is_there in enumerate([*filled, False]):
        if is_there and begin is None:
            begin = i
        if not is_there and begin is not None:
            found.append((begin, i))
            begin = None
    return found


def panel(title, lists, scale, top):
    """The lists of a window: a row per PE, a dark stretch for slots with non-zeros."""
    length = len(lists[0])
    made = [f'<text x="{LEFT}" y="{top - 6}">{title}</text>',
            f'<rect class="bubble" x="{LEFT}" y="{top}" width="{length * scale:.1f}" height="{ROW * len(lists)}"/>',
            f'<text x="{LEFT - 6}" y="{top + 10}" text-anchor="end">PE 0</text>',
            f'<text x="{LEFT - 6}" y="{top + ROW * len(lists)}" text-anchor="end">PE 63</text>']
    path = "".join(f"M{LEFT + a * scale:.1f} {top + ROW * p + ROW / 2}H{LEFT + b * scale:.1f}" for p, filled in enumerate(lists) for a, b in runs_of(filled))
    return made + [f'<path class="nonzero" d="{path}"/>']


def picture(matrix, published, ours):
    """The text of the SVG; both panels have the same scale, so that the length of a list is its time."""
    longest = max(len(published[0]), len(ours[0]))
    scale, height = WIDTH / longest, ROW * 64
    second = TOP + height + 40
    total = second + height + 44
    count = sum(map(sum, published))
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {total}" font-family="sans-serif" font-size="12">',
             "<style>text{fill:#222}.bubble{fill:#ddd;stroke:#888;stroke-width:.5}.nonzero{stroke:#1f6fb4;stroke-width:2.4;fill:none}"
             "@media(prefers-color-scheme:dark){text{fill:#ddd}.bubble{fill:#333;stroke:#777}.nonzero{stroke:#6db3f2}}</style>",
             f"<title>Slots of {matrix}, first window</title>"]
    parts += panel(f"published rule: {len(published[0])} slots, {100 * count / 64 / len(published[0]):.0f} % with a non-zero ({matrix}, first window)", published, scale, TOP)
    parts += panel(f"ours: {len(ours[0])} slots, {100 * sum(map(sum, ours)) / 64 / len(ours[0]):.0f} %", ours, scale, second)
    bottom = second + height + 16
    parts += [f'<text x="{LEFT}" y="{bottom}">slot 0</text>', f'<text x="{LEFT + WIDTH}" y="{bottom}" text-anchor="end">slot {longest}</text>',
              f'<rect class="bubble" x="{LEFT}" y="{bottom + 8}" width="20" height="8"/>', f'<text x="{LEFT + 26}" y="{bottom + 16}">bubble</text>',
              f'<path class="nonzero" d="M{LEFT + 90} {bottom + 12}h20"/>', f'<text x="{LEFT + 116}" y="{bottom + 16}">non-zero</text>', "</svg>"]
    return "\n".join(parts) + "\n"
