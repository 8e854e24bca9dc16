"""HTML report: self-contained, within its size limit, and escaped."""

import base64
import hashlib
import json
import re
import zlib
from functools import cache

import msgspec
import pytest
from tests.arena.bot_matches import SHORT, Faults, bots, play
from tests.charts.html_checks import Checked

from faceup.arena import Bot, Cause, Match, MatchResult, MatchTerms, Transcript
from faceup.arena.report.data import ReportData
from faceup.arena.report.html import report
from faceup.arena.stats.standings import StandingsTable, standings

pytestmark = pytest.mark.slow  # real programs, again and again

FOUR = ("greedy", "lowest", "highest", "random")
HOSTILE = '</script><script>alert("x")</script><b onclick=1>\u202e\x1b[2J'


def run_data(
    terms: MatchTerms = SHORT, *, matches: int = 12, faults: dict[int, Faults] | None = None, log: bytes = b""
) -> ReportData:
    """Return the data of a run, with faults by match number."""
    examples: dict[int, tuple[MatchResult, Transcript]] = {}
    for number in range(matches):
        match = Match(number, number // 4, FOUR, number % 4)
        examples[number] = play(match, terms, faults=(faults or {}).get(number), logs=[log] * 4)
    results = [result for result, _ in examples.values()]
    return ReportData(
        title="6 nimmt!: a round-robin of greedy and others",
        summary=["greedy leads."],
        facts=[("matches", str(matches))],
        score="heads",
        unit="match",
        table=standings(results, drawings=50) if results else StandingsTable(0, 0, (), ()),
        results=results,
        transcript=lambda number: examples[number][1],
        terms=terms,
        seed=7,
        bots=bots(*FOUR),
    )


@cache
def usual() -> str:
    """Return the report of four matches, two with faults."""
    late, illegal = (Cause.LATE, None), (Cause.ILLEGAL, b"PLAY seven\x00")
    return report(run_data(matches=4, faults={1: {(0, 2): late}, 2: {(1, 0): illegal}}))


def renamed(run: ReportData, name: str) -> ReportData:
    """The same run in which the first bot has another name."""

    def other(result: MatchResult) -> MatchResult:
        lineup = (name, *result.match.lineup[1:])
        return msgspec.structs.replace(result, match=msgspec.structs.replace(result.match, lineup=lineup))

    results = [other(result) for result in run.results]
    bots = {**run.bots, name: Bot(name, player="greedy")}
    return msgspec.structs.replace(
        run, results=results, table=standings(results), bots=bots, title=name, summary=[name]
    )


def frames(page: str) -> list[list[dict[str, object]]]:
    """What the script takes out of the page, replay by replay."""
    packed = re.findall(r'<script type="text/plain">([^<]*)</script>', page)
    films = [json.loads(zlib.decompress(base64.b64decode(film), -zlib.MAX_WBITS)) for film in packed]
    return [
        [{**frame, "svg": "".join(film["pieces"][piece] for piece in frame["drawn"])} for frame in film["frames"]]
        for film in films
    ]


def test_page_is_well_formed_and_makes_no_requests() -> None:
    text = usual()
    checked = Checked(text)
    assert checked.open == []
    assert all(reference.startswith("#") for reference in checked.references)
    assert not {"link", "img", "iframe", "object", "form"} & set(checked.names)
    assert not re.search(r"url\(|@import", text)
    assert set(re.findall(r"https?://[^\"' <]+", text)) <= {"http://www.w3.org/2000/svg"}
    assert len(checked.ids) == len(set(checked.ids))


def test_policy_has_hash_of_the_script() -> None:
    text = usual()
    *packed, ours = Checked(text).scripts
    digest = base64.b64encode(hashlib.sha256(ours.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in text
    assert "default-src 'none'" in text
    assert all(re.fullmatch(r"[A-Za-z0-9+/=]+", film) for film in packed)


def test_links_lead_to_replays_on_the_page() -> None:
    checked = Checked(usual())
    assert {"#match-1", "#match-2"} <= set(checked.references)
    assert {reference.removeprefix("#") for reference in checked.references} <= set(checked.ids)


def test_ladder_and_matrix_contain_every_bot() -> None:
    words = " ".join(Checked(usual()).words)
    for name in FOUR:
        assert words.count(name) >= 3


def test_forfeits_are_listed_with_invalid_output() -> None:
    words = " ".join(Checked(usual()).words)
    assert "PLAY seven\ufffd" in words
    assert "illegal" in words
    assert "No forfeits" not in words


def test_report_without_faults_says_so() -> None:
    assert "No forfeits" in report(run_data(matches=1))


def test_report_of_empty_log() -> None:
    checked = Checked(report(run_data(matches=0)))
    assert checked.open == []
    assert "No match is finished yet." in checked.words


def test_replay_has_every_position_with_requests_and_answers() -> None:
    [first, *_] = frames(report(run_data(matches=1), most=10**9))
    asked = [frame for frame in first if frame["asked"]]
    assert len(asked) >= 10
    assert first[-1]["asked"] == []
    for frame in asked:
        for request in frame["asked"]:  # type: ignore[attr-defined]  # JSON
            assert "CHOOSE" in request["sent"]
            assert re.fullmatch(r"(PLAY|PICK) \d+", request["answer"])
        assert str(frame["svg"]).startswith("<svg")


@pytest.mark.parametrize(
    "terms",
    [MatchTerms(game="war cap=40", protocol="json"), MatchTerms(game="niuniu throws=3 seats=4", protocol="json")],
)
def test_any_game_has_a_report(terms: MatchTerms) -> None:
    lineup = ("random", "random+1", "random+2", "random+3")
    seats = 2 if terms.game.startswith("war") else 4
    played = [play(Match(number, 0, lineup[:seats], number), terms) for number in range(2)]
    results = [result for result, _ in played]
    run = msgspec.structs.replace(
        run_data(matches=0), results=results, table=standings(results), terms=terms, bots=bots(*lineup),
        transcript=lambda number: played[number][1],
    )  # fmt: skip
    text = report(run)
    assert Checked(text).open == []
    assert len(frames(text)) == 2


@pytest.mark.slow
def test_report_respects_size_limit() -> None:
    run = run_data(matches=5, log=b"thinking of all the cards\n" * 200)
    full = report(run)
    most = len(full.encode()) * 2 // 3
    part = report(run, most=most)
    assert len(part.encode()) <= most
    assert 0 < part.count('<details class="replay"') < full.count('<details class="replay"')
    assert Checked(part).open == []


def test_names_and_output_are_escaped() -> None:
    faults: dict[int, Faults] = {0: {(1, 3): (Cause.MALFORMED, HOSTILE.encode())}}
    run = renamed(run_data(matches=1, faults=faults, log=HOSTILE.encode() + b"\n\xff\xfe"), HOSTILE)
    text = report(run)
    checked = Checked(text)
    assert checked.open == []
    assert checked.names.count("script") == text.count('<script type="text/plain">') + 1
    assert "onclick" not in checked.attributes
    assert "\x1b" not in text
    assert "\u202e" not in text
    for shots in frames(text):
        for frame in shots:
            assert "<script" not in str(frame["svg"])
            assert "<b onclick" not in str(frame["svg"])
            assert "\u202e" not in json.dumps(frame, ensure_ascii=False)


def test_style_supports_dark_mode_and_small_screens() -> None:
    text = usual()
    assert text.count("prefers-color-scheme: dark") >= 2
    assert 'name="viewport"' in text
    assert "max-width: 44rem" in text


def test_long_replay_shows_start_and_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faceup.arena.report.replay_html._MOST_FRAMES", 6)
    text = report(run_data(matches=1))
    [shots] = frames(text)
    assert len(shots) == 6
    assert "turn 1 of 10" in str(shots[0]["svg"])
    assert shots[-1]["asked"] == []
    assert re.search(r"Only the first and the last 3 of 1\d positions are shown", text)
