"""JSON merge patches (RFC 7396): what changed from one JSON object to the next.

A patch names the members that are new or other, with null for those that are gone; objects are patched member by
member, everything else is replaced whole. So no object may have a null among its members; in arrays they may stand.
"""

from typing import Any, Final

Json = dict[str, Any]  # Any: JSON

_GONE: Final = object()


def diff(before: Json, after: Json) -> Json:
    """The patch that makes `after` of `before`; empty if they are equal.

    >>> diff({"a": 1, "b": {"c": 2, "d": 3}}, {"b": {"c": 2, "d": 4}})
    {'b': {'d': 4}, 'a': None}
    """
    patch: Json = {}
    for name, value in after.items():
        old = before.get(name, _GONE)
        if isinstance(value, dict) and isinstance(old, dict):
            if inner := diff(old, value):
                patch[name] = inner
        elif old is _GONE or old != value:
            patch[name] = value
    patch.update(dict.fromkeys((name for name in before if name not in after), None))
    return patch


def apply_patch(before: Json, patch: Json) -> Json:
    """The object after the patch; the one before is left as it was.

    >>> apply_patch({"a": 1, "b": {"c": 2}}, {"b": {"d": 3}, "a": None})
    {'b': {'c': 2, 'd': 3}}
    """
    after = dict(before)
    for name, value in patch.items():
        if value is None:
            after.pop(name, None)
        elif isinstance(value, dict):
            old = after.get(name)
            after[name] = apply_patch(old if isinstance(old, dict) else {}, value)
        else:
            after[name] = value
    return after


def without_nulls(whole: Json) -> Json:
    """The object without those of its members that are null, and likewise the objects in it, but not those in arrays.

    >>> without_nulls({"a": None, "b": {"c": None, "d": [None]}})
    {'b': {'d': [None]}}
    """
    return {
        name: without_nulls(value) if isinstance(value, dict) else value
        for name, value in whole.items()
        if value is not None
    }
