"""Make the Chinese font of the pictures: the characters of our text only. See `script/font`."""

import sys
from pathlib import Path

from fontTools.subset import main as subset
from regenerate import ROOT

from faceup.server.pictures.words import all_text

FONT = ROOT / "src" / "faceup" / "server" / "pictures" / "fonts" / "noto-sans-sc-700.otf"


def write_font(source: Path) -> None:
    """Write the font with the characters of our text in `source`, a file of Noto Sans CJK Bold."""
    characters = sorted(set(all_text("zh")) - {"\n"})
    subset(
        [
            str(source),
            "--font-number=2",  # the simplified Chinese forms
            f"--text={''.join(characters)}",
            f"--output-file={FONT}",
            "--no-hinting",
            "--layout-features=",
            "--drop-tables+=BASE,GPOS,GSUB,VORG,vhea,vmtx",  # of vertical text, and of rarer forms
        ]
    )
    print(f"wrote {FONT.relative_to(ROOT)}: {len(characters)} characters, {FONT.stat().st_size:,} bytes")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: ./script/font NotoSansCJK-Bold.ttc")
    write_font(Path(sys.argv[1]))
