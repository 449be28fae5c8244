"""The plot is XML with these texts, and its lines stay inside of it."""
import re
import sys
import xml.etree.ElementTree as xml

root = xml.parse(sys.argv[1]).getroot()
width, height = float(root.get("width")), float(root.get("height"))
texts = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
for wanted in sys.argv[2:]:
    assert wanted in texts, f"{wanted} is not in {texts}"
lines = [e.get("points") for e in root.iter("{http://www.w3.org/2000/svg}polyline")]
assert lines, "no lines"
for points in lines:
    for x, y in re.findall(r"(\S+),(\S+)", points):
        assert 0 <= float(x) <= width and 0 <= float(y) <= height, f"{x},{y} is outside of the picture"
