"""`python -m faceup` is `faceup`."""

import os
import sys

# Python puts the current folder first, where a file `select.py` would replace its own. It stays if faceup is in it.
# pathlib would import modules from there, too.
if not sys.flags.safe_path and sys.path[0] == os.getcwd() != os.path.dirname(os.path.dirname(__file__)):  # noqa: PTH109, PTH120
    del sys.path[0]

from faceup.cli import main

main()
