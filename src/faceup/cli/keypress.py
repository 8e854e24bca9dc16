"""One key from the terminal, without Enter."""

import os
import sys


def next_key() -> str:
    """The next key that is pressed, in small letters; "" if there is no more input. Ctrl-C is Ctrl-C."""
    try:
        import termios
        import tty
    except ImportError:  # Windows: the line will do
        return sys.stdin.readline()[:1].lower()
    door = sys.stdin.fileno()
    before = termios.tcgetattr(door)
    try:
        tty.setcbreak(door, termios.TCSADRAIN)  # what was typed already counts
        return os.read(door, 1).decode("ascii", "replace").lower()
    finally:
        termios.tcsetattr(door, termios.TCSADRAIN, before)
