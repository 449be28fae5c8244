"""Runs a command whose standard error is a terminal and prints what arrives there, escape characters as ESC. NAME=VALUE words before the
command change its environment."""
import os
import pty
import subprocess
import sys

words = sys.argv[1:]
environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
while "=" in words[0] and "/" not in words[0].split("=")[0]:
    name, value = words.pop(0).split("=", 1)
    environment[name] = value
reader, writer = pty.openpty()
process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=writer, env=environment)
os.close(writer)
shown = b""
while True:
    try:
        piece = os.read(reader, 65536)
    except OSError:  # the other end is closed
        break
    if not piece:
        break
    shown += piece
process.wait()
sys.stdout.write(shown.decode().replace("\r\n", "\n").replace("\033", "ESC"))
