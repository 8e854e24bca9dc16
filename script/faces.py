"""Draw the faces of players in src/faceup/web/faces: animals for people, robots for bots. See `script/faces`.

Each face is an SVG of 100 by 100 without a background. The page puts it on a disc of the player's colour. Faces are
symmetric, so most parts are drawn once, left of the middle, and mirrored.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from regenerate import ROOT, regenerate

FOLDER: Final = ROOT / "src" / "faceup" / "web" / "faces"
INK: Final = "#2b2030"
WHITE: Final = "#fffaf2"
PINK: Final = "#f2a3a0"


def both(part: str) -> str:
    """Return a part and its mirror image."""
    return f'{part}<g transform="matrix(-1 0 0 1 100 0)">{part}</g>'


def path(d: str, fill: str, **other: object) -> str:
    """Return a filled path."""
    more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in other.items())
    return f'<path d="{d}" fill="{fill}"{more}/>'


def line(d: str, colour: str = INK, width: float = 3) -> str:
    """Return a stroke with round ends."""
    return path(d, "none", stroke=colour, stroke_width=width, stroke_linecap="round", stroke_linejoin="round")


def oval(x: float, y: float, rx: float, ry: float, fill: str, turn: float = 0) -> str:
    """Return an ellipse, turned clockwise by `turn` degrees."""
    turned = f' transform="rotate({turn:g} {x:g} {y:g})"' if turn else ""
    return f'<ellipse cx="{x:g}" cy="{y:g}" rx="{rx:g}" ry="{ry:g}" fill="{fill}"{turned}/>'


def box(x: float, y: float, width: float, height: float, corner: float, fill: str) -> str:
    """Return a rectangle with round corners."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{corner:g}" fill="{fill}"/>'


def eyes(x: float = 37, y: float = 52, r: float = 4.6, white: float = 0) -> str:
    """Return round eyes with a highlight; `white` is the radius of the white around them, if any."""
    around = oval(x, y, white, white, WHITE) if white else ""
    dots = "".join(
        oval(at, y, r, r * 1.1, INK) + oval(at + r * 0.35, y - r * 0.4, r * 0.34, r * 0.34, "#fff")
        for at in (x, 100 - x)
    )
    return both(around) + dots


def smile(y: float = 72, width: float = 8, deep: float = 5) -> str:
    """Return a smile below the nose."""
    return line(f"M{50 - width} {y}q{width / 2:g} {deep} {width} 0q{width / 2:g} {deep} {width} 0", width=2.6)


def nose(y: float = 66, size: float = 5, fill: str = INK) -> str:
    """Return a small triangular nose."""
    return path(
        f"M{50 - size} {y - size * 0.5:g}q{size} {-size * 0.5:g} {2 * size} 0q{-size * 0.2:g} {size} {-size} {size * 1.2:g}q{-size * 0.8:g} {-size * 0.2:g} {-size} {-size * 1.2:g}z",
        fill,
    )


def cheeks(fill: str = PINK, y: float = 65, x: float = 27) -> str:
    """Return rosy cheeks."""
    return both(oval(x, y, 5, 3.4, fill))


def whiskers(y: float = 66) -> str:
    """Return whiskers."""
    return both(line(f"M30 {y}l-14 -3M30 {y + 5}l-14 2", width=1.8))


def head(fill: str, shade: str = "", rx: float = 33, ry: float = 30, y: float = 57) -> str:
    """Return a round head with a darker crown if there is a second colour."""
    crown = path(f"M{50 - rx} {y}a{rx} {ry} 0 0 1 {2 * rx} 0q{-rx} {-ry * 0.7:g} {-2 * rx} 0z", shade) if shade else ""
    return oval(50, y, rx, ry, fill) + crown


def pointed_ears(fill: str, inside: str) -> str:
    """Return the ears of a cat or fox."""
    return both(
        path("M18 52C13 30 15 16 20 14c6 0 20 12 26 22z", fill) + path("M22 42c-3-12-2-18 0-19 4 1 11 8 14 13z", inside)
    )


def round_ears(fill: str, inside: str, x: float = 24, y: float = 32, r: float = 12) -> str:
    """Return the ears of a bear or mouse."""
    return both(oval(x, y, r, r, fill) + oval(x, y, r * 0.58, r * 0.58, inside))


def cow() -> str:
    """Draw a cow."""
    horns = both(path("M31 31C22 29 20 20 22 13c5 1 11 7 16 14z", "#f1dfb5"))
    ears = both(
        path("M25 40C15 34 7 36 4 43c5 8 14 10 22 7z", "#fff3e6") + path("M21 42c-5-2-9-1-12 2 3 3 8 4 12 3z", PINK)
    )
    patch = path("M52 28c18-1 30 10 30 26-6 6-20 6-25-1-4-7-1-17-5-25z", "#5b4034")
    muzzle = (
        oval(50, 74, 24, 15, "#f6c0b4")
        + both(oval(41, 73, 3, 4.4, "#9c4f4a", 12))
        + line("M42 82q8 5 16 0", "#9c4f4a", 2.4)
    )
    return horns + ears + head("#fffaf2", rx=32, ry=31) + patch + eyes(36, 52) + muzzle


def cat() -> str:
    """Draw a cat."""
    stripes = path("M44 27l3 14 3-15 3 15 3-14z", "#b8662b") + both(
        path("M18 58l13 2-13 4zM19 69l11-1-9 6z", "#b8662b")
    )
    return (
        pointed_ears("#e8934a", PINK)
        + head("#e8934a")
        + stripes
        + oval(50, 72, 16, 12, "#ffe9d0")
        + eyes(36, 54, 5)
        + nose(67, 4, "#c4504e")
        + smile(72, 7, 5)
        + whiskers()
    )


def dog() -> str:
    """Draw a dog."""
    ears = both(path("M24 33C10 31 5 46 8 63c2 9 10 11 15 5 5-8 7-22 9-31z", "#6e452c"))
    blaze = path("M44 28h12c3 12 5 24 14 34 4 16-8 26-20 26s-24-10-20-26c9-10 11-22 14-34z", "#fff3e2")
    tongue = path("M45 78h10v7a5 5 0 0 1-10 0z", "#ee7f83")
    return head("#b67a4b", rx=31, ry=31) + blaze + ears + eyes(36, 50) + tongue + nose(64, 7) + smile(75, 9, 5)


def fox() -> str:
    """Draw a fox."""
    ears = both(
        path("M17 50C12 28 14 13 19 12c7 1 21 14 26 24z", "#e2672b")
        + path("M20 33c-2-11-1-16 1-17 4 1 10 8 13 13z", "#42282a")
    )
    face = path("M50 89C36 86 15 70 15 54c0-13 16-22 35-22s35 9 35 22c0 16-21 32-35 35z", "#e2672b")
    white = both(path("M50 89C36 86 15 72 15 56c14-2 26 6 35 20z", "#fff3e2"))
    return ears + face + white + eyes(35, 55) + nose(80, 6)


def bear() -> str:
    """Draw a bear."""
    return (
        round_ears("#7b4f31", "#c99466")
        + head("#8b5a38")
        + oval(50, 72, 17, 13, "#d9a87a")
        + eyes(36, 54)
        + nose(66, 6)
        + smile(74, 7, 5)
    )


def panda() -> str:
    """Draw a panda."""
    patches = both(oval(34, 54, 10, 12, INK, 28))
    light = both(oval(36, 53, 4.6, 4.6, "#fff")) + oval(36.5, 53.5, 2.8, 2.8, INK) + oval(63.5, 53.5, 2.8, 2.8, INK)
    return (
        round_ears(INK, INK, 22, 30, 13)
        + head("#fffaf2")
        + patches
        + light
        + nose(68, 5)
        + smile(75, 7, 4)
        + cheeks(y=72, x=25)
    )


def koala() -> str:
    """Draw a koala."""
    ears = both(oval(17, 40, 16, 16, "#98a3ad") + oval(17, 41, 9.5, 10, "#f3d5d2"))
    return (
        ears
        + head("#aab4bd", rx=30, ry=29)
        + eyes(35, 53)
        + box(42.5, 52, 15, 23, 7.5, "#3b3a46")
        + oval(47, 57, 2.4, 4, "#6f6e7c")
        + smile(79, 6, 4)
    )


def rabbit() -> str:
    """Draw a rabbit."""
    ears = both(
        path("M36 40C22 32 22 4 31 2c9 1 14 22 13 37z", "#e9dfd6") + path("M36 34c-7-7-8-24-5-26 5 1 8 16 8 26z", PINK)
    )
    teeth = box(45, 79, 5, 8, 1.5, "#fff") + box(50, 79, 5, 8, 1.5, "#fff")
    return (
        ears
        + head("#f3eae1", rx=30, ry=28, y=62)
        + eyes(37, 58)
        + teeth
        + nose(70, 4, "#dd7f86")
        + smile(75, 8, 5)
        + cheeks(y=70)
    )


def mouse() -> str:
    """Draw a mouse."""
    ears = both(oval(20, 33, 18, 18, "#9aa0ab") + oval(20, 33, 11, 11, "#f5c4c3"))
    face = path("M50 90C34 88 20 74 20 58c0-13 14-21 30-21s30 8 30 21c0 16-14 30-30 32z", "#b3b9c3")
    return ears + face + eyes(38, 58) + whiskers(74) + oval(50, 82, 6, 5, "#e9878c") + cheeks(y=72, x=31)


def pig() -> str:
    """Draw a pig."""
    ears = both(
        path("M19 50C12 36 12 25 15 21c9-1 20 6 25 14z", "#ee9a9d")
        + path("M21 41c-4-8-4-13-3-15 5 0 12 4 15 8z", "#d97b82")
    )
    snout = oval(50, 69, 15, 11, "#ee9a9d") + both(oval(44, 69, 3, 4.6, "#b65661"))
    return (
        ears
        + head("#f8b9b7")
        + eyes(35, 53)
        + snout
        + line("M43 84q7 4 14 0", "#b65661", 2.6)
        + cheeks("#ef8d93", 66, 25)
    )


def sheep() -> str:
    """Draw a sheep."""
    wool = "".join(
        oval(x, y, 13, 13, "#fffaf2")
        for x, y in ((25, 35), (40, 26), (58, 26), (74, 35), (18, 50), (82, 50), (20, 66), (80, 66), (50, 33))
    )
    ears = both(oval(15, 57, 12, 6.5, "#4d4450", -14))
    face = path("M50 90c-15 0-24-14-24-28 0-12 8-18 24-18s24 6 24 18c0 14-9 28-24 28z", "#5f5562")
    curls = oval(40, 41, 10, 9, "#fffaf2") + oval(60, 41, 10, 9, "#fffaf2") + oval(50, 38, 11, 10, "#fffaf2")
    return wool + ears + face + curls + eyes(40, 62, 3.4, 6.2) + line("M46 77l4 4 4-4M50 81v3", "#e9c9c4", 2.4)


def goat() -> str:
    """Draw a goat."""
    horns = both(
        path("M40 36C30 30 22 18 24 4c9 4 20 16 23 30z", "#8b7a68") + line("M27 15l6-4M31 23l7-5", "#6d5d4d", 2)
    )
    ears = both(
        path("M27 46C16 42 8 46 5 54c7 6 16 5 24 1z", "#d8c9b8") + path("M23 48c-6-1-10 1-13 5 4 2 9 1 14-2z", PINK)
    )
    beard = path("M42 84c1 8 4 13 8 15 4-2 7-7 8-15z", "#fffaf2")
    face = path(
        "M50 91c-11 0-15-9-18-20-3-10-8-16-8-24 0-10 12-15 26-15s26 5 26 15c0 8-5 14-8 24-3 11-7 20-18 20z", "#ece1d3"
    )
    return (
        horns
        + ears
        + beard
        + face
        + eyes(37, 53)
        + oval(50, 78, 13, 10, "#fff8ee")
        + nose(75, 4, "#7d5a55")
        + smile(81, 6, 4)
    )


def horse() -> str:
    """Draw a horse."""
    ears = both(
        path("M29 40C23 26 25 15 28 12c6 4 12 13 13 22z", "#8d5632")
        + path("M31 33c-3-8-2-13-1-15 3 3 6 8 6 13z", "#d79a7b")
    )
    face = path(
        "M50 94c-14 0-17-10-19-22-2-11-6-16-6-24 0-11 11-17 25-17s25 6 25 17c0 8-4 13-6 24-2 12-5 22-19 22z", "#a4673d"
    )
    mane = path("M38 15c8-8 22-6 26 2-1 8-4 16-9 22-1 8-6 12-9 15 1-10-5-15-9-22-2-6-2-12 1-17z", "#3f2a25")
    muzzle = (
        oval(50, 81, 18, 13, "#d9a47d")
        + both(oval(43, 79, 2.6, 4, "#7c4a33", 10))
        + line("M44 88q6 3 12 0", "#7c4a33", 2.4)
    )
    return ears + face + mane + eyes(34, 56) + muzzle


def unicorn() -> str:
    """Draw a unicorn."""
    horn = path("M44 34L50 1l6 33z", "#ffcf5a") + line("M46 25l7-4M47 17l5-3M48 31l8-4", "#d99a2b", 2)
    ears = both(
        path("M29 42C21 30 22 20 25 17c7 4 13 12 14 20z", "#fff") + path("M30 35c-4-7-4-11-3-13 3 2 7 7 8 11z", PINK)
    )
    mane = path("M30 36C14 38 8 54 12 68c4-4 8-3 10-8 1 6 5 6 6 10 4-12 3-24 12-32z", "#c77dd8") + path(
        "M34 36C22 40 17 52 19 62c4-3 6-10 12-12 1-6 4-10 9-14z", "#79c6e8"
    )
    muzzle = (
        oval(50, 79, 18, 13, "#fbd9de")
        + both(oval(43, 77, 2.4, 3.6, "#b86e88", 10))
        + line("M44 86q6 4 12 0", "#b86e88", 2.4)
    )
    face = path(
        "M50 92c-14 0-18-10-20-21-2-10-5-15-5-23 0-10 11-16 25-16s25 6 25 16c0 8-3 13-5 23-2 11-6 21-20 21z", "#fff"
    )
    return ears + face + mane + horn + eyes(37, 56) + muzzle + cheeks("#f6a8c0", 66, 31)


def frog() -> str:
    """Draw a frog."""
    bulges = (
        both(oval(30, 32, 14, 14, "#6cae4a") + oval(30, 32, 9.4, 9.4, "#fffaf2"))
        + oval(32, 33, 4.8, 5.4, INK)
        + oval(68, 33, 4.8, 5.4, INK)
    )
    return (
        oval(50, 60, 37, 28, "#7cc157")
        + bulges
        + oval(50, 72, 27, 14, "#c9e6a2")
        + line("M24 63q26 18 52 0", "#3d6e2a", 3)
        + both(oval(46, 56, 1.6, 2, "#3d6e2a"))
        + cheeks("#e89a86", 68, 22)
    )


def chick() -> str:
    """Draw a chick."""
    tuft = path("M50 30c-8-4-11-13-8-19 3 3 5 5 6 8 0-6 2-11 7-14 1 6 1 10 0 14 2-2 5-3 8-3 0 7-6 13-13 14z", "#f0a92c")
    beak = path("M39 64q11-9 22 0-11 4-22 0z", "#f08a24") + path("M39 64q11 16 22 0-11 4-22 0z", "#cf6a16")
    return tuft + head("#ffd84d", rx=33, ry=32) + eyes(35, 53, 5) + beak + cheeks("#f6a05c", 66, 25)


def owl() -> str:
    """Draw an owl."""
    tufts = both(path("M20 46C14 32 14 20 17 16c8 4 18 9 24 16z", "#6d4a33"))
    discs = both(
        oval(35, 53, 16, 16, "#e9d3b0")
        + oval(35, 53, 10.5, 10.5, "#fff6df")
        + oval(36, 53, 6.4, 6.8, INK)
        + oval(38, 50.5, 2.1, 2.1, "#fff")
    )
    beak = path("M44 61h12c0 8-3 13-6 15-3-2-6-7-6-15z", "#e59a2c")
    chest = line("M35 80q4 4 8 0M46 84q4 4 8 0M57 80q4 4 8 0", "#caa276", 2.6)
    return tufts + head("#8a6244", rx=34, ry=33) + discs + beak + chest


def penguin() -> str:
    """Draw a penguin."""
    face = both(path("M50 42C44 34 26 36 24 54c-1 18 12 32 26 33z", "#fffaf2"))
    beak = path("M41 62q9-8 18 0-9 12-18 0z", "#f2992e") + line("M42 62.5q8 3 16 0", "#b9641a", 1.8)
    return head("#2f3a4d", rx=35, ry=35, y=56) + face + eyes(37, 54) + beak + cheeks("#f4b3a4", 67, 31)


def duck() -> str:
    """Draw a duck."""
    collar = path("M22 76q28 18 56 0v8q-28 16-56 0z", "#fffaf2")
    bill = (
        path("M28 66c4-8 12-10 22-10s18 2 22 10c2 8-10 12-22 12s-24-4-22-12z", "#f4b23c")
        + line("M31 68q19 8 38 0", "#b9771d", 2.4)
        + both(oval(45, 61, 1.6, 2, "#b9771d"))
    )
    return (
        head("#2f7d56", rx=32, ry=32, y=54)
        + path("M18 54a32 32 0 0 1 64 0q-32-24-64 0z", "#3c9467")
        + collar
        + eyes(36, 46, 4.4, 7)
        + bill
    )


def lion() -> str:
    """Draw a lion."""
    mane = "".join(
        f'<ellipse cx="50" cy="20" rx="13" ry="17" fill="#a8541f" transform="rotate({turn} 50 56)"/>'
        for turn in range(0, 360, 30)
    )
    return (
        mane
        + both(oval(27, 34, 8, 8, "#e0a24a"))
        + head("#f0b85a", rx=28, ry=27, y=57)
        + oval(50, 71, 15, 11, "#fff0d4")
        + eyes(39, 54)
        + nose(66, 6, "#7d4022")
        + smile(73, 7, 5)
    )


def tiger() -> str:
    """Draw a tiger."""
    stripes = path("M45 27l2 15 3-9 3 9 2-15zM37 29l3 9 2-10zM63 29l-3 9-2-10z", INK) + both(
        path("M17 55l14 3-14 3zM18 66l11 1-9 4zM22 76l9-1-6 5z", INK)
    )
    return (
        round_ears("#ec8f33", "#fff0dc", 24, 32, 11)
        + head("#f29c3f")
        + both(oval(36, 50, 8, 7, "#fff0dc"))
        + stripes
        + oval(50, 73, 17, 12, "#fff0dc")
        + eyes(37, 53)
        + nose(67, 5.5, "#c4504e")
        + smile(74, 7, 5)
    )


def monkey() -> str:
    """Draw a monkey."""
    ears = both(oval(15, 56, 12, 12, "#7a4d33") + oval(15, 56, 7, 7, "#eebd97"))
    face = both(oval(39, 53, 13, 14, "#f2c9a4")) + oval(50, 72, 22, 15, "#f2c9a4")
    return (
        ears
        + head("#7a4d33")
        + path("M42 30c2-6 6-8 8-12 2 4 6 6 8 12z", "#7a4d33")
        + face
        + eyes(40, 54)
        + both(oval(47, 66, 1.5, 1.8, "#7a4d33"))
        + line("M37 73q13 12 26 0", "#7a4d33", 2.8)
    )


def elephant() -> str:
    """Draw an elephant."""
    ears = both(
        path("M30 34C14 22 0 32 2 54c2 18 16 22 28 14z", "#7f8fa6")
        + path("M27 42c-10-7-18-2-17 12 1 10 9 13 17 8z", "#e9b8bd")
    )
    trunk = path("M40 58h20c1 12 1 20-1 27-2 8-12 9-16 3 6 1 7-3 5-12-2-6-6-9-8-18z", "#8c9cb3") + line(
        "M44 68h13M46 76h11", "#6f7f97", 2
    )
    tusks = both(path("M38 70c-3 6-3 10 0 14 3-2 5-7 5-12z", "#fffaf2"))
    return ears + head("#98a8be", rx=29, ry=31, y=54) + tusks + trunk + eyes(36, 51)


def raccoon() -> str:
    """Draw a raccoon."""
    mask = both(path("M50 50C42 44 26 42 17 58c4 9 20 12 33 2z", "#3a3742"))
    brow = both(path("M20 50c6-9 18-11 27-6-8 0-18 1-27 6z", "#f2f0ec"))
    return (
        round_ears("#7d8089", "#e7e2da", 23, 33, 12)
        + head("#9a9da6")
        + mask
        + brow
        + path("M50 56c-9 4-17 10-17 18 0 9 9 13 17 13s17-4 17-13c0-8-8-14-17-18z", "#f2f0ec")
        + eyes(36, 54, 3.6, 5.2)
        + nose(71, 5)
        + smile(78, 6, 4)
    )


def hedgehog() -> str:
    """Draw a hedgehog."""
    spikes = "".join(
        f'<path d="M42 24L50 4l8 20z" fill="{"#6b4a35" if turn % 40 else "#836049"}" transform="rotate({turn} 50 58)"/>'
        for turn in range(-120, 121, 20)
    )
    ears = both(oval(27, 48, 7, 7, "#b98a62") + oval(27, 48, 4, 4, "#8f6545"))
    face = path("M50 90c-18 0-29-12-29-25 0-12 12-19 20-21 4-4 14-4 18 0 8 2 20 9 20 21 0 13-11 25-29 25z", "#eccfa6")
    return (
        spikes
        + oval(50, 54, 34, 32, "#6b4a35")
        + ears
        + face
        + eyes(38, 62)
        + nose(73, 6)
        + smile(80, 6, 4)
        + cheeks(y=75, x=30)
    )


def deer() -> str:
    """Draw a deer."""
    antlers = both(line("M38 32C32 22 26 18 20 4M30 20l-14-2M25 13l4-9", "#8a6a48", 4))
    ears = both(
        path("M28 42C18 33 9 33 4 37c3 10 13 15 24 13z", "#b9794a")
        + path("M23 43c-5-4-9-5-13-4 3 5 8 7 13 7z", "#f0c3a8")
    )
    face = path(
        "M50 92c-12 0-17-9-20-20-3-9-5-15-5-22 0-11 12-18 25-18s25 7 25 18c0 7-2 13-5 22-3 11-8 20-20 20z", "#c98a58"
    )
    spots = "".join(oval(x, y, 2, 2, "#f6dfc2") for x, y in ((50, 38), (44, 43), (56, 43)))
    return (
        antlers
        + ears
        + face
        + spots
        + oval(50, 80, 15, 11, "#f9e4ca")
        + eyes(36, 56, 5)
        + nose(76, 6)
        + smile(83, 6, 3)
    )


def octopus() -> str:
    """Draw an octopus."""
    arms = both("".join(line(d, "#c3568b", 9) for d in ("M36 74C32 88 20 92 12 84", "M44 78c0 10-6 16-12 16")))
    spots = both(oval(32, 32, 3.4, 3, "#b3477b") + oval(42, 24, 2.4, 2, "#b3477b"))
    return (
        arms
        + path("M50 10c22 0 33 17 33 36 0 12-4 20-8 28-8 8-42 8-50 0-4-8-8-16-8-28 0-19 11-36 33-36z", "#d66b9e")
        + spots
        + eyes(37, 50, 4.4, 8)
        + line("M42 66q8 7 16 0", "#7e2955", 2.8)
        + cheeks("#f59bc0", 63, 27)
    )


def whale() -> str:
    """Draw a whale."""
    spout = line("M50 26V16M50 16c-3-8-12-8-14-2M50 16c3-8 12-8 14-2", "#e7f6ff", 4)
    belly = path("M18 66q32 18 64 0c-3 16-17 23-32 23s-29-7-32-23z", "#dff0fa") + line(
        "M36 76v9M50 79v9M64 76v9", "#a9cde3", 2.4
    )
    fins = both(path("M18 64C8 64 3 70 2 78c8 2 16 0 21-6z", "#2f6fa8"))
    return (
        spout
        + fins
        + path("M50 28c22 0 34 14 34 32 0 20-16 29-34 29s-34-9-34-29c0-18 12-32 34-32z", "#3f86c4")
        + belly
        + eyes(30, 56)
        + line("M38 64q12 7 24 0", INK, 2.6)
        + cheeks("#f4a9a5", 64, 24)
    )


def dragon() -> str:
    """Draw a dragon."""
    horns = both(path("M34 34C26 28 22 17 25 8c8 4 15 13 18 24z", "#f3ddae"))
    crest = path("M50 10l6 12 8 1-3 10H39l-3-10 8-1z", "#d9513c")
    ears = both(path("M24 48L4 36c0 12 2 20 6 24l-4 4c6 6 14 6 20 2z", "#2e8b6b"))
    muzzle = (
        oval(50, 74, 24, 15, "#8fd6a8")
        + both(oval(41, 69, 3, 3.6, "#1f6a50", 20))
        + line("M34 78q16 9 32 0", "#1f6a50", 2.8)
        + both(path("M36 79l3 7 4-5z", "#fff"))
    )
    return horns + crest + ears + head("#3fa581", rx=30, ry=30) + eyes(36, 52, 4.2, 7) + muzzle


def sloth() -> str:
    """Draw a sloth."""
    face = oval(50, 60, 27, 24, "#ecd9b8")
    patches = both(path("M46 56C36 48 22 54 18 66c8 4 20 2 27-4z", "#7a5c42"))
    lids = both(oval(36, 58, 4.6, 4.6, INK) + path("M30.5 57h11c0-6-11-6-11 0z", "#ecd9b8"))
    return (
        head("#a5855f", rx=35, ry=33, y=56)
        + path("M20 44c8-16 52-16 60 0-12-8-20-3-30-9-10 6-18 1-30 9z", "#8a6b49")
        + face
        + patches
        + lids
        + oval(50, 68, 7, 5, "#4a3529")
        + line("M36 76q14 10 28 0", "#4a3529", 2.6)
    )


ANIMALS: Final = (cow, cat, dog, fox, bear, panda, koala, rabbit, mouse, pig, sheep, goat, horse, unicorn, frog, chick, owl, penguin, duck, lion, tiger, monkey, elephant, raccoon, hedgehog, deer, octopus, whale, dragon, sloth)  # fmt: skip


def screen(x: float, y: float, width: float, height: float, corner: float = 12, fill: str = "#1f2a3a") -> str:
    """Return the dark screen on which a robot's eyes glow."""
    return box(x, y, width, height, corner, fill)


def glow(kind: str, colour: str, x: float = 38, y: float = 55) -> str:
    """Return a pair of glowing eyes: "happy", "calm", "keen", "star", "round" or "wink"."""
    if kind == "happy":
        return both(line(f"M{x - 6} {y + 3}q6 -9 12 0", colour, 4))
    if kind == "calm":
        return both(box(x - 6, y - 3, 12, 7, 3.5, colour))
    if kind == "keen":
        return both(path(f"M{x - 8} {y - 6}l15 6v5h-9c-4 0-6-4-6-11z", colour))
    if kind == "star":
        return "".join(
            path(f"M{at} {y - 8}l2.4 5.4 5.8.6-4.4 3.9 1.3 5.8-5.1-3-5.1 3 1.3-5.8-4.4-3.9 5.8-.6z", colour)
            for at in (x, 100 - x)
        )
    if kind == "wink":
        return oval(x, y, 5.5, 6, colour) + line(f"M{94 - x} {y + 1}h12", colour, 4)
    return both(oval(x, y, 5.5, 6, colour))


def antenna(colour: str, top: str, y: float = 26) -> str:
    """Return an antenna with something on its tip at (50, 10)."""
    return line(f"M50 {y}V13", colour, 4) + top


def gentle(colour: str, shade: str, top: str, look: str = "happy") -> str:
    """Draw a round, friendly robot."""
    ears = both(box(8, 48, 10, 18, 5, shade))
    return (
        antenna(shade, top)
        + ears
        + oval(50, 57, 37, 33, colour)
        + path("M15 50a37 33 0 0 1 70 0q-35-18-70 0z", "#fff", opacity=0.22)
        + screen(23, 40, 54, 34, 17)
        + glow(look, "#9ff0c8")
        + line("M43 66q7 5 14 0", "#9ff0c8", 3)
        + both(oval(23, 77, 4.5, 3, "#fff"))
    )


def steady(colour: str, shade: str, top: str, look: str = "calm") -> str:
    """Draw a square, solid robot."""
    bolts = both(box(6, 47, 12, 20, 4, shade) + box(4, 52, 6, 10, 2, "#5b6470"))
    return (
        antenna(shade, top, 28)
        + bolts
        + box(15, 25, 70, 64, 14, colour)
        + box(15, 25, 70, 16, 8, shade)
        + screen(23, 42, 54, 26, 8)
        + glow(look, "#8fd3ff")
        + box(36, 75, 28, 5, 2.5, shade)
        + line("M43 75v5M50 75v5M57 75v5", colour, 1.6)
    )


def sharp(colour: str, shade: str, top: str, look: str = "keen") -> str:
    """Draw an angular robot with a visor."""
    fins = both(path("M17 46L4 34l3 28 12 4z", shade))
    return (
        top
        + fins
        + path("M50 19l30 16 5 30-15 25H30L15 65l5-30z", colour)
        + path("M50 19l30 16 2 12H18l2-12z", shade)
        + path("M18 46h64l-4 20-16 5H38l-16-5z", "#1b2233")
        + glow(look, "#ff7b72", 37, 56)
        + line("M42 81h16", shade, 3.4)
    )


def champion(colour: str, shade: str, crown: str, look: str = "star") -> str:
    """Draw a golden robot with a crown."""
    rings = both(oval(14, 58, 8, 12, shade) + oval(14, 58, 4, 7, "#fff2c2"))
    collar = path("M26 86q24 12 48 0l-4 10H30z", shade)
    return (
        collar
        + rings
        + path("M50 26c24 0 35 13 35 31S72 90 50 90 15 75 15 57s11-31 35-31z", colour)
        + crown
        + screen(22, 43, 56, 30, 13, "#2a1f45")
        + glow(look, "#ffe27a")
        + line("M42 81h16", shade, 3.4)
    )


def visitor(colour: str, shade: str, top: str, look: str = "round") -> str:
    """Draw a tall robot with earphones, whose looks fit any level."""
    phones = both(box(7, 44, 13, 26, 6, shade)) + line("M14 46Q14 20 50 20T86 46", shade, 5)
    return (
        phones
        + path("M50 22c22 0 30 12 30 30v18c0 13-10 20-30 20s-30-7-30-20V52c0-18 8-30 30-30z", colour)
        + path("M22 44c2-15 11-22 28-22s26 7 28 22q-28-12-56 0z", "#fff", opacity=0.2)
        + top
        + screen(26, 44, 48, 22, 11)
        + glow(look, "#ffd9a0", 39)
        + box(38, 73, 24, 8, 4, shade)
        + line("M44 77h12", colour, 2)
    )


CROWN: Final = (
    path("M27 32l-5-20 15 9L50 5l13 16 15-9-5 20q-23-9-46 0z", "#ffcf4a")
    + both(oval(22, 12, 3, 3, "#fff2c2"))
    + oval(50, 6, 3.4, 3.4, "#ff6b6b")
)
LAUREL: Final = both(
    "".join(
        path("M0 0c-8-2-12-9-10-15 7 1 11 8 10 15z", "#58b368", transform=f"translate({x} {y}) rotate({turn})")
        for x, y, turn in ((20, 44, -32), (24, 33, -8), (32, 25, 14), (42, 22, 40))
    )
)
HALO: Final = '<ellipse cx="50" cy="14" rx="22" ry="7" fill="none" stroke="#ffe27a" stroke-width="5"/>'
PLUME: Final = path("M50 27C36 24 34 8 46 2c-3 6 0 9 4 11 4-2 7-5 4-11 12 6 10 22-4 25z", "#e5484d")


def leaf(colour: str) -> str:
    """Return the three leaves of a clover."""
    return oval(43, 12, 7, 6, colour) + oval(57, 12, 7, 6, colour) + oval(50, 5, 6, 6, colour)


def flower(colour: str) -> str:
    """Return a flower."""
    petals = "".join(
        f'<ellipse cx="50" cy="3.5" rx="4.4" ry="5.4" fill="{colour}" transform="rotate({turn} 50 11)"/>'
        for turn in range(0, 360, 60)
    )
    return petals + oval(50, 11, 4.4, 4.4, "#f2b632")


def bulb(colour: str) -> str:
    """Return a lamp."""
    return oval(50, 10, 7, 7, colour) + oval(47.6, 7.6, 2, 2, "#fff")


def greedy(colour: str, shade: str, extra: str) -> str:
    """Draw a robot that sees coins."""
    coins = both(
        oval(36, 54, 11, 11, "#ffcf4a")
        + oval(36, 54, 8, 8, "#e7a92b")
        + path("M36 48l1.8 4 4.2.4-3.2 2.8 1 4.2-3.8-2.2-3.8 2.2 1-4.2-3.2-2.8 4.2-.4z", "#fff2c2")
    )
    return (
        extra
        + both(box(7, 46, 11, 20, 5, shade))
        + box(14, 27, 72, 61, 24, colour)
        + box(38, 31, 24, 5, 2.5, "#1f2a3a")
        + coins
        + line("M38 74q12 9 24 0", "#1f2a3a", 4)
        + path("M44 77h5v4h-5z", "#fff")
    )


def die() -> str:
    """Draw a robot whose head is a die."""
    dots = both(oval(35, 42, 6.4, 6.4, INK)) + both(oval(35, 74, 6.4, 6.4, INK))
    return (
        box(17, 24, 66, 66, 16, "#fffaf2")
        + path("M17 74q33 14 66 0v2a16 16 0 0 1-16 14H33a16 16 0 0 1-16-14z", "#e6dccb")
        + dots
        + oval(50, 58, 6.4, 6.4, "#e5484d")
        + antenna("#c9bda8", bulb("#e5484d"), 25)
    )


def small() -> str:
    """Draw a small robot that looks up."""
    return (
        line("M50 46V30", "#5f8f86", 4)
        + oval(50, 28, 5, 5, "#ffcf4a")
        + both(box(20, 60, 8, 14, 4, "#5f8f86"))
        + box(26, 44, 48, 44, 14, "#8cc7bb")
        + screen(32, 52, 36, 20, 9)
        + glow("round", "#c8ffe9", 42, 60)
        + line("M46 80h8", "#5f8f86", 3)
    )


def tall() -> str:
    """Draw a tall robot that looks down."""
    return (
        line("M50 8V2", "#8a3f6b", 4)
        + both(box(16, 44, 10, 22, 5, "#8a3f6b"))
        + box(24, 7, 52, 87, 18, "#c0648f")
        + screen(30, 40, 40, 26, 10)
        + glow("calm", "#ffd1ea", 41, 57)
        + both(line("M34 46l11 3", "#ffd1ea", 3))
        + line("M42 80q8-5 16 0", "#8a3f6b", 3.4)
        + box(30, 14, 40, 10, 5, "#d98bad")
    )


def cards() -> str:
    """Draw a robot that holds cards behind its head."""
    fan = "".join(
        f'<rect x="36" y="2" width="28" height="40" rx="4" fill="{fill}" stroke="#4a3b63" stroke-width="2" transform="rotate({turn} 50 60)"/>'
        for turn, fill in ((-34, "#fffaf2"), (34, "#fffaf2"), (-12, "#ffd9d0"), (12, "#dff0fa"))
    )
    return (
        fan
        + both(box(9, 52, 10, 18, 5, "#5b4a80"))
        + box(16, 34, 68, 56, 20, "#8672b8")
        + screen(24, 44, 52, 28, 12)
        + glow("wink", "#ffe27a", 38, 57)
        + line("M42 80q8 5 16 0", "#3d3160", 3.4)
    )


def diver() -> str:
    """Draw a robot in a diver's helmet."""
    bubbles = oval(78, 16, 5, 5, "#dff0fa") + oval(87, 28, 3.4, 3.4, "#dff0fa") + oval(72, 5, 3, 3, "#dff0fa")
    bolts = "".join(
        oval(50 + x, 55 + y, 2.6, 2.6, "#7a5a1e")
        for x, y in ((0, -27), (0, 27), (-27, 0), (27, 0), (-19, -19), (19, -19), (-19, 19), (19, 19))
    )
    return (
        bubbles
        + both(box(5, 46, 14, 20, 6, "#a37a2c"))
        + box(26, 84, 48, 10, 5, "#a37a2c")
        + oval(50, 55, 38, 37, "#d9a441")
        + oval(50, 55, 31, 31, "#b98a31")
        + bolts
        + oval(50, 55, 23, 23, "#123a52")
        + path("M31 45a23 23 0 0 1 25-12q-16 6-21 20z", "#fff", opacity=0.25)
        + glow("calm", "#7fe3ff", 42, 54)
        + line("M45 66h10", "#7fe3ff", 3)
    )


def spider() -> str:
    """Draw a spider before its web."""
    web = "".join(
        line(d, "#fff", 1.6)
        for d in (
            "M50 50L8 4M50 50L92 4M50 50V0",
            "M22 20Q50 34 78 20M12 9Q50 26 88 9M22 20Q24 36 15 50M78 20Q76 36 85 50",
        )
    )
    legs = both(
        line("M30 56C16 44 10 46 5 58", "#3b2f63", 5)
        + line("M28 66C14 60 8 66 5 78", "#3b2f63", 5)
        + line("M31 76C22 78 16 84 15 94", "#3b2f63", 5)
    )
    small = both(oval(41, 41, 3.4, 3.4, WHITE) + oval(29, 46, 3.4, 3.4, WHITE)) + both(
        oval(41.5, 41, 1.7, 1.9, INK) + oval(29.5, 46, 1.7, 1.9, INK)
    )
    return (
        web
        + legs
        + oval(50, 62, 31, 30, "#5a4a94")
        + path("M27 48q8-14 23-15-16 8-17 24z", "#fff", opacity=0.22)
        + small
        + eyes(40, 60, 5, 8.5)
        + smile(77, 9, 5)
    )


def monitor() -> str:
    """Draw a computer."""
    return (
        path("M40 78h20l5 14H35z", "#8892a0")
        + box(30, 89, 40, 6, 3, "#6b7480")
        + box(9, 18, 82, 62, 9, "#c9d1da")
        + screen(16, 25, 68, 48, 6)
        + glow("round", "#9ff0c8", 37, 44)
        + line("M38 59q12 8 24 0", "#9ff0c8", 3.4)
    )


ROBOTS: Final[dict[str, Callable[[], str]]] = {
    "clover": lambda: gentle("#7fc79a", "#4c9a6b", leaf("#3f9a5a")),
    "biscuit": lambda: gentle("#e3b778", "#b98545", oval(50, 10, 9, 9, "#c98f4c") + oval(47, 8, 1.8, 1.8, "#5b3a1e") + oval(53, 9, 1.8, 1.8, "#5b3a1e") + oval(50, 13.5, 1.8, 1.8, "#5b3a1e")),
    "daisy": lambda: gentle("#f3a6b8", "#cf7089", flower("#fff")),
    "pudding": lambda: gentle("#cdb4ee", "#9a7cc9", path("M40 16l3-11q7-4 14 0l3 11z", "#ffe1a1") + path("M42 7q8-6 16 0l1 3q-9 4-18 0z", "#a3622a")),
    "hazel": lambda: steady("#b98a62", "#85603f", bulb("#ffcf4a")),
    "otto": lambda: steady("#8fa4bd", "#5e738c", path("M42 16h16l-3-12h-10z", "#e5484d")),
    "maple": lambda: steady("#d9845b", "#a85a35", path("M50 0l3 6 6-2-2 7 5 3-7 2-5 4-5-4-7-2 5-3-2-7 6 2z", "#c0392b")),
    "bruno": lambda: steady("#6f9c8f", "#44705f", bulb("#7fe3ff")),
    "vesper": lambda: sharp("#7d78b8", "#514c8c", path("M50 20L44 2l6 5 6-5z", "#ffcf4a")),
    "cosmo": lambda: sharp("#5c9bc4", "#34698c", oval(50, 11, 7, 7, "#ffb45c") + '<ellipse cx="50" cy="11" rx="13" ry="3.4" fill="none" stroke="#fff2c2" stroke-width="2.4" transform="rotate(-18 50 11)"/>' + line("M50 22v-4", "#34698c", 4)),
    "pepper": lambda: sharp("#d65f52", "#9c352d", path("M50 22C40 16 38 8 46 2c0 5 3 6 6 5 4 3 4 10-2 15z", "#58b368")),
    "iris": lambda: sharp("#6aa86f", "#3f7a49", oval(50, 10, 9, 6, "#fffaf2") + oval(50, 10, 4.4, 4.4, "#6a4fb3") + oval(50, 10, 2, 2, INK)),
    "aurora": lambda: champion("#f3c64f", "#c68f1d", CROWN),
    "atlas": lambda: champion("#e0a95a", "#a9702a", LAUREL),
    "nova": lambda: champion("#e9d27a", "#b59b32", HALO),
    "regent": lambda: champion("#eeb648", "#b47a1f", PLUME),
    "penny": lambda: greedy("#c98a4f", "#8f5a29", antenna("#8f5a29", bulb("#ffcf4a"))),
    "magpie": lambda: greedy("#5d6b84", "#38445a", antenna("#38445a", path("M50 0l7 9-7 9-7-9z", "#9ff0ff"))),
    "lucky": die,
    "mini": small,
    "max": tall,
    "weaver": spider,
    "monte": cards,
    "fathom": diver,
    "computer": monitor,
    "pixel": lambda: visitor("#5aa9a0", "#2f746d", box(43, 6, 7, 7, 1, "#ffcf4a") + box(50, 6, 7, 7, 1, "#e5484d") + box(43, 13, 7, 7, 1, "#6a4fb3") + box(50, 13, 7, 7, 1, "#58b368")),
    "echo": lambda: visitor("#9a8fd6", "#665aa8", line("M42 15q8-9 16 0M37 10q13-15 26 0", "#665aa8", 3.4) + oval(50, 18, 3, 3, "#ffcf4a"), "happy"),
    "domino": lambda: visitor("#6b7480", "#3d4450", box(34, 6, 32, 16, 4, "#fffaf2") + line("M50 8v12", INK, 1.8) + oval(42, 14, 2.4, 2.4, INK) + oval(56, 11, 2.2, 2.2, INK) + oval(61, 17, 2.2, 2.2, INK), "keen"),
    "marble": lambda: visitor("#c98fb4", "#94577f", oval(50, 11, 10, 10, "#7fc4ee") + path("M43 5c8 2 12 8 10 15 6-2 9-8 6-13-4-6-11-7-16-2z", "#2f7fb8") + oval(46, 7, 2.4, 1.8, "#fff"), "wink"),
    "button": lambda: visitor("#e0946b", "#a85c36", oval(50, 12, 11, 10, "#5b8fd0") + oval(50, 12, 8, 7.2, "#7aa9e0") + both(oval(47, 9.6, 1.5, 1.5, INK) + oval(47, 14.4, 1.5, 1.5, INK)), "happy"),
    "comet": lambda: visitor("#4f7fc0", "#2c5590", path("M58 16C46 14 30 8 22 1c16 2 30 4 40 8z", "#ffe1a1") + oval(59, 13, 7.5, 7.5, "#ffcf4a"), "star"),
    "pebble": lambda: visitor("#a9a89a", "#77766a", oval(50, 16, 15, 6, "#8d8c80") + oval(50, 8, 9, 5, "#c4c2b4"), "calm"),
    "lantern": lambda: visitor("#c9635a", "#8e332c", box(44, 0, 12, 4, 2, "#8e332c") + oval(50, 12, 11, 9, "#ffb45c") + line("M50 4v16M44 5q-4 7 0 14M56 5q4 7 0 14", "#d98a2b", 1.6), "calm"),
}  # fmt: skip


def robots() -> dict[str, str]:
    """Return the drawing of each bot character."""
    return {name: draw() for name, draw in ROBOTS.items()}


def files() -> dict[Path, str]:
    """Return the text of each file."""
    drawn = {animal.__name__: animal() for animal in ANIMALS} | robots()
    return {
        FOLDER / f"{name}.svg": f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{body}</svg>\n'
        for name, body in drawn.items()
    }


if __name__ == "__main__":
    sys.exit(regenerate("faces", "Draw the faces of players in src/faceup/web/faces.", files))
