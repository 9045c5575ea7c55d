"""Draws a command's coloured output as an SVG: `python3 docs/pictures/draw.py OUT.svg COMMAND...`.

The pictures in this folder were made with:
  python3 docs/pictures/draw.py docs/pictures/demo.svg target/debug/assize demo transcript-quality
"""

import html
import os
import re
import subprocess
import sys

COLOURS = {"31": "#d9534f", "32": "#3fa45b", "33": "#c9982b", "2": "#8a8f98", "38;5;8": "#8a8f98", "90": "#8a8f98"}
environment = dict(os.environ, CLICOLOR_FORCE="1", COLUMNS="84")
output = subprocess.run(sys.argv[2:], env=environment, capture_output=True, text=True, check=True).stdout
lines = output.rstrip().splitlines()
width, height = 84 * 8.4 + 32, len(lines) * 18 + 58
shown = " ".join(["assize", *sys.argv[3:]])
parts = [
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" font-family="ui-monospace, monospace" font-size="14">',
    f'<rect width="100%" height="100%" rx="8" fill="#16181d"/>',
    f'<text x="16" y="26" fill="#8a8f98" xml:space="preserve">$ {html.escape(shown)}</text>',
]
for number, line in enumerate(lines):
    spans, style = [], ("#e6e6e6", "normal")
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        code = re.fullmatch(r"\x1b\[([0-9;]*)m", piece)
        if code is None:
            if piece:
                spans.append(f'<tspan fill="{style[0]}" font-weight="{style[1]}">{html.escape(piece)}</tspan>')
        elif code[1] == "1":
            style = (style[0], "bold")
        else:
            style = (COLOURS.get(code[1], "#e6e6e6"), "normal")
    parts.append(f'<text x="16" y="{50 + number * 18}" xml:space="preserve">{"".join(spans)}</text>')
parts.append("</svg>")
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write("\n".join(parts) + "\n")
