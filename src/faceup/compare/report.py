"""The standings of a contest, for programs and for people."""

from collections.abc import Sequence
from textwrap import fill
from typing import Any, Final

from faceup.compare.contest import Contest
from faceup.compare.standings import Difference, Standing, Standings
from faceup.sim.report import plus_minus, shown, table
from faceup.statistics import Mean

_SURE: Final = 0.05
"""A difference counts as shown when it, or a larger one, would come up by chance less often than this."""

_LEGEND: Final = (
    "± is half of a 95 % interval over duplicate {many}: a {one} in all its {seats} rotations\nis one number."
)


def report(contest: Contest, found: Sequence[Standings], *, asked: int) -> dict[str, Any]:  # Any: JSON
    """The standings for JSON: the same wherever it is played, if the bots' own thinking is.

    `deals` is how many duplicate deals were counted: fewer than `asked` if the run was stopped. Errors and p are null
    for a single deal.
    """
    rules = contest.rules
    return {
        "game": rules.game,
        "variant": rules.variant,
        "spec": contest.game,
        "seats": contest.seats,
        "seed": contest.seed,
        "matches": contest.matches,
        "score": contest.measures.score,
        "by_the_clock": contest.by_the_clock,
        "deals": found[0].bot.score.count,
        "asked": asked,
        "lineups": [
            {
                "bot": _standing(each.bot),
                "against": [_standing(other) for other in each.field],
                "difference": _difference(each.difference),
                "ahead": each.ahead and {"of": each.first, **_difference(each.ahead)},
                "words": " ".join(sentences(contest, each)),
            }
            for each in found
        ],
    }


def _standing(each: Standing) -> dict[str, Any]:  # Any: JSON
    numbers = {name: getattr(each, name).told() for name in ("score", "win_share", "place")}
    return {"name": each.name, "players": each.players, **numbers}


def _difference(each: Difference) -> dict[str, Any]:  # Any: JSON
    means = {name: getattr(each, name) for name in Difference.__struct_fields__}
    return {name: {**mean.told(), "p": mean.p} for name, mean in means.items()}


def words(contest: Contest, found: Sequence[Standings], *, asked: int) -> str:
    """The standings for people: a table for each lineup, and under it what it shows, in plain sentences."""
    deals = found[0].bot.score.count
    of = "" if deals == asked else f" of {asked:,}"
    one, many = ("match", "matches") if contest.matches else ("deal", "deals")
    title = f"{contest.game}: {deals:,}{of} duplicate {one if asked == 1 else many}, seed {contest.seed}"
    parts = []
    for each in found:
        said = (fill(sentence, 80, break_on_hyphens=False) for sentence in sentences(contest, each))
        parts += [_lineup(contest, each), "\n".join(said)]
    parts.append(_LEGEND.format(one=one, many=many, seats=contest.seats))
    if contest.by_the_clock:
        parts.append(fill(f"By the clock, and so other in another run: {', '.join(contest.by_the_clock)}.", 80))
    return "\n\n".join([title, *parts])


def _lineup(contest: Contest, each: Standings) -> str:
    rows = [["", contest.measures.score, "win share", "place"]]
    for bot in (each.bot, *each.field):
        name = bot.name if bot is each.bot else f"{bot.players} {bot.name}"
        rows.append([name, shown(bot.score), shown(bot.win_share, percent=True), shown(bot.place)])
    rows.append(_difference_row("minus the others", each.difference))
    if each.ahead is not None:
        rows.append(_difference_row(f"minus {each.first}", each.ahead))
    return table(rows, left=1)


def _difference_row(name: str, each: Difference) -> list[str]:
    return [
        name,
        shown(each.score, sign=True),
        shown(each.win_share, percent=True, sign=True),
        shown(each.place, sign=True),
    ]


def sentences(contest: Contest, each: Standings) -> list[str]:
    """What a lineup shows, in plain sentences.

    Who beats whom is decided by wins; whether that is shown, by Student's test over duplicate deals.
    """
    if each.difference.win_share.p is None:
        return [f"One duplicate {_unit(contest)} shows nothing: play more of them."]
    ahead = [] if each.ahead is None else [_against_the_first(contest, each, each.ahead)]
    return [_against_the_field(contest, each), *ahead]


def _against_the_field(contest: Contest, each: Standings) -> str:
    bot, field, difference = each.bot, named(each.field), each.difference
    even = f"where {100 / contest.seats:.3g}% would be even"
    wins = f"wins {shown(bot.win_share, percent=True)}, {even} ({_chance(difference.win_share)})"
    points = f"{_more(contest, difference.score)} than they have ({_chance(difference.score)})"
    if not _is_shown(difference.win_share):
        return f"No difference in wins between {bot.name} and {field} is shown: {bot.name} {wins}, and has {points}."
    verb = "beats" if difference.win_share.mean > 0 else "loses to"
    return f"{bot.name} {verb} {field}: it {wins}, and has {points}."


def _against_the_first(contest: Contest, each: Standings, ahead: Difference) -> str:
    """The difference to the first bot that played against the same field."""
    number, half = plus_minus(ahead.win_share, percent=True)
    often = "less" if ahead.win_share.mean < 0 else "more"
    wins = f"wins {often} often by {number.removeprefix('-')} ±{half or 0} points ({_chance(ahead.win_share)})"
    points = f"and has {_more(contest, ahead.score)} ({_chance(ahead.score)})"
    if not _is_shown(ahead.win_share):
        return f"No difference in wins to {each.first} is shown there: {each.bot.name} {wins}, {points}."
    verb = "worse" if ahead.win_share.mean < 0 else "better"
    return f"There {each.bot.name} does {verb} than {each.first}: it {wins}, {points}."


def named(field: Sequence[Standing]) -> str:
    """Who sits there: "3 greedy", "1 greedy and 2 random"."""
    words = [f"{each.players} {each.name}" for each in field]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _is_shown(mean: Mean) -> bool:
    return mean.p is not None and mean.p < _SURE


def _chance(mean: Mean) -> str:
    p = 1.0 if mean.p is None else mean.p
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def _more(contest: Contest, mean: Mean) -> str:
    number, half = plus_minus(mean)
    number = number.removeprefix("-")
    word = "fewer" if mean.mean < 0 else "more"
    return f"{number}{f' ±{half}' if half else ''} {word} {contest.measures.score} a {_unit(contest)}"


def _unit(contest: Contest) -> str:
    return "match" if contest.matches else "deal"
