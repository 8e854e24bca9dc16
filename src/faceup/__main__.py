"""`python -m faceup` is `faceup`."""

from faceup.cli import main

main()
