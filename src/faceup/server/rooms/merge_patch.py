"""JSON merge patches (RFC 7396): the difference between two JSON objects.

A patch holds the new value of each added or changed member, and null for each removed member. Objects are patched
recursively, and all other values are replaced. Objects must not have null members, but arrays may hold nulls.

A merge patch can only resend a whole list, so an update has a separate member `append` for items added to a list.
"""

from typing import Any, Final

Json = dict[str, Any]  # Any: JSON

_MISSING: Final = object()


def diff(before: Json, after: Json) -> Json:
    """Return the patch that turns `before` into `after`; it is empty if they are equal.

    >>> diff({"a": 1, "b": {"c": 2, "d": 3}}, {"b": {"c": 2, "d": 4}})
    {'b': {'d': 4}, 'a': None}
    """
    patch: Json = {}
    for name, value in after.items():
        old = before.get(name, _MISSING)
        if isinstance(value, dict) and isinstance(old, dict):
            if inner := diff(old, value):
                patch[name] = inner
        elif old is _MISSING or old != value:
            patch[name] = value
    patch.update(dict.fromkeys((name for name in before if name not in after), None))
    return patch


def apply_patch(before: Json, patch: Json) -> Json:
    """Return the object with the patch applied, without changing `before`.

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


def extend_lists(before: Json, append: Json) -> Json:
    """Return the object with the items of `append` added to its lists, without changing `before`.

    Missing lists and objects count as empty.

    >>> extend_lists({"view": {"log": [1, 2], "turn": 2}}, {"view": {"log": [3]}})
    {'view': {'log': [1, 2, 3], 'turn': 2}}
    """
    after = dict(before)
    for name, more in append.items():
        old = before.get(name)
        after[name] = extend_lists(old or {}, more) if isinstance(more, dict) else [*(old or ()), *more]
    return after


def apply_line(room_view: Json, line: Json) -> Json:
    """Return the room view after a message, which is a snapshot or an update, without changing `room_view`.

    >>> apply_line({"at": 1, "log": [1]}, {"v": 2, "patch": {"at": None}, "append": {"log": [2]}})
    {'log': [1, 2]}
    """
    if "room" in line:
        snapshot: Json = line["room"]
        return snapshot
    return extend_lists(apply_patch(room_view, line["patch"]), line.get("append") or {})


def drop_nulls(value: Json) -> Json:
    """Return the object without null members, recursively; arrays are left unchanged.

    >>> drop_nulls({"a": None, "b": {"c": None, "d": [None]}})
    {'b': {'d': [None]}}
    """
    return {
        name: drop_nulls(member) if isinstance(member, dict) else member
        for name, member in value.items()
        if member is not None
    }
