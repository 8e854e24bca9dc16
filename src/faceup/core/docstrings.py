"""Descriptions of attributes in docstrings."""

import re
from inspect import cleandoc


def attribute_descriptions(*kinds: type) -> dict[str, str]:
    """Return what the "Attributes" sections of these classes say, by attribute; a later class replaces earlier texts.

    >>> from faceup.core import View
    >>> attribute_descriptions(View)["seat"]
    'the viewing seat; None for a spectator.'
    """
    descriptions: dict[str, str] = {}
    for kind in kinds:
        _, _, rest = cleandoc(kind.__doc__ or "").partition("Attributes:\n")
        section, _, _ = rest.partition("\n\n")
        texts = re.findall(r"^    (\w+): (.*(?:\n {8}.*)*)", section, re.MULTILINE)
        descriptions |= {name: " ".join(text.split()) for name, text in texts}
    return descriptions
