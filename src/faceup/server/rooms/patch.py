"""JSON merge patches (RFC 7396): what changed from one JSON object to the next.

A patch names the members that are new or other, with null for those that are gone; objects are patched member by
member, everything else is replaced whole. So no object may have a null among its members; in arrays they may stand.

A long list that goes on would be sent whole for each new item: what it has more is said apart, under `grown`.
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


def longer(before: Json, grown: Json) -> Json:
    """The object with more at the end of those lists in it that `grown` names; the one before is left as it was.

    What is not there counts as empty, as with a patch.

    >>> longer({"view": {"log": [1, 2], "turn": 2}}, {"view": {"log": [3]}})
    {'view': {'log': [1, 2, 3], 'turn': 2}}
    """
    after = dict(before)
    for name, more in grown.items():
        old = before.get(name)
        after[name] = longer(old or {}, more) if isinstance(more, dict) else [*(old or ()), *more]
    return after


def after_line(sight: Json, line: Json) -> Json:
    """The sight after a numbered line: the whole one that it brings, or the last one with what is new.

    >>> after_line({"at": 1, "log": [1]}, {"v": 2, "patch": {"at": None}, "grown": {"log": [2]}})
    {'log': [1, 2]}
    """
    if "sight" in line:
        whole: Json = line["sight"]
        return whole
    return longer(apply_patch(sight, line["patch"]), line.get("grown") or {})


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
