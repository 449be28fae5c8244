"""Makes a failing model smaller: statements, layers and parts of expressions go while it still fails the same way.

    smaller = reduce_text(text, lambda candidate: fails_the_same_way(candidate))

The algorithm knows lines, braces and brackets and not the grammar; a candidate that is no valid model fails in another way
and is dropped.
"""

OPENING = {"(": ")", "[": "]", "{": "}"}


def blocks(lines):
    """Spans of lines that can go together: each line, and from each line that opens a brace to the one that closes it;
    long ones first."""
    spans = []
    for begin, line in enumerate(lines):
        depth = line.count("{") - line.count("}")
        end = begin + 1
        while depth > 0 and end < len(lines):
            depth += lines[end].count("{") - lines[end].count("}")
            end += 1
        if depth == 0:
            spans.append((begin, end))
    return sorted(spans, key=lambda s: s[0] - s[1])


def closing(text, begin):
    """The place after the bracket that closes the one at `begin`."""
    depth = 0
    for i in range(begin, len(text)):
        depth += (text[i] in OPENING) - (text[i] in OPENING.values())
        if depth == 0:
            return i + 1
    return len(text)


def pieces(text):
    """The parts of the inside of a bracket, split at commas and operators at its top level."""
    out, depth, begin = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in OPENING) - (c in OPENING.values())
        is_operator = c in ",:" or (c in "+-*/@<>=" and text[i - 1:i] == " ")
        if depth == 0 and is_operator:
            out.append(text[begin:i])
            begin = i + 1
    out.append(text[begin:])
    return [p.strip() for p in out if p.strip() and p.strip() != text.strip()]


def simpler_lines(line):
    """Yields the line with one bracketed group, or a call with its argument list, replaced by one of its parts."""
    for i, c in enumerate(line):
        if c == "(":
            end = closing(line, i)
            name = i
            while name > 0 and (line[name - 1].isalnum() or line[name - 1] == "_"):
                name -= 1
            for part in pieces(line[i + 1:end - 1]) + ["1"]:
                yield line[:name] + part + line[end:]
            if name < i:
                yield line[:name] + line[i + 1:end - 1] + line[end:]
        elif c == "=" and line[i - 1:i + 2] == " = ":
            for part in pieces(line[i + 1:].rstrip(";} ")):
                yield line[:i + 2] + part + line[len(line.rstrip(";} ")):]


def reduce_text(text, fails, limit=2000):
    """The smallest text found with at most `limit` attempts."""
    lines, attempts = [line for line in text.split("\n") if line.strip()], 0

    def try_lines(candidate):
        nonlocal attempts, lines
        attempts += 1
        if attempts <= limit and fails("\n".join(candidate) + "\n"):
            lines = candidate
            return True
        return False

    changed = True
    while changed and attempts < limit:
        changed = False
        for begin, end in blocks(lines):
            if end <= len(lines) and try_lines(lines[:begin] + lines[end:]):
                changed = True
                break
        else:
            for i, line in enumerate(lines):
                if any(len(s) < len(line) and try_lines(lines[:i] + [s] + lines[i + 1:]) for s in simpler_lines(line)):
                    changed = True
                    break
    return "\n".join(lines) + "\n"
