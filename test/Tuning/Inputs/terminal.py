# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run a command with its standard error on a terminal, and print what comes there.

Usage: terminal.py COLUMNS COMMAND...
"""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

ours, theirs = pty.openpty()
size = struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0)
fcntl.ioctl(theirs, termios.TIOCSWINSZ, size)
process = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=theirs)
os.close(theirs)
text = b""
try:
    while piece := os.read(ours, 4096):
        text += piece
except OSError:  # what Linux calls the end
    pass
for line in text.decode().replace("\x1b[K", "").split("\r"):
    print(line)
sys.exit(process.wait())
