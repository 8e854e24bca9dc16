"""The text inside the drawings of games, in the languages of the page."""

from collections.abc import Mapping
from typing import Final

from faceup.server.pictures import Language
from faceup.server.site import SITE

_UNSEEN: Final = "牌堆里还有 {count} 张没人看过的牌。"

_TEXT: Final[Mapping[str, tuple[str, str]]] = {
    # All games
    "{first} and {last}": ("{first} und {last}", "{first}和{last}"),
    ", ": (", ", "、"),
    "Seat {number}": ("Platz {number}", "座位 {number}"),
    "Waiting for players ({taken} of {seats})": (
        "Warten auf Spieler ({taken} von {seats})",
        "等待玩家（{taken}/{seats}）",
    ),
    "The cards are about to be dealt": ("Gleich werden die Karten verteilt", "即将发牌"),
    "{count} seat": ("{count} Platz", "{count} 人"),
    "{count} seats": ("{count} Plätze", "{count} 人"),
    "{count} card": ("{count} Karte", "{count} 张牌"),
    "{count} cards": ("{count} Karten", "{count} 张牌"),
    # 6 nimmt!
    "6 nimmt!": ("6 nimmt!", "谁是牛头王"),
    "{names} wins": ("{names} gewinnt", "{names}获胜"),
    "{names} share the win": ("{names} teilen sich den Sieg", "{names}并列获胜"),
    "with {count} head": ("mit {count} Ochsenkopf", "{count} 个牛头"),
    "with {count} heads": ("mit {count} Ochsenköpfen", "{count} 个牛头"),
    "deal {number}": ("Durchgang {number}", "第 {number} 局"),
    "turn {number} of {count}": ("Zug {number} von {count}", "第 {number}/{count} 轮"),
    "The deal is over": ("Der Durchgang ist zu Ende", "这一局结束"),
    "{name} takes one": ("{name} nimmt eine", "{name}要收下一行"),
    "{name}'s {card} is below every row": ("{name}: {card} passt in keine Reihe", "{name}的 {card} 比各行都小"),
    "everyone chooses": ("alle wählen", "所有人选牌"),
    "{name} takes row {row}": ("{name} nimmt Reihe {row}", "{name}收下第 {row} 行"),
    "{name} row {row}": ("{name} Reihe {row}", "{name}收下第 {row} 行"),
    "Every card fits": ("Jede Karte passt", "每张牌都放得下"),
    "Everyone chooses a card": ("Alle wählen eine Karte", "所有人选一张牌"),
    "Face up, lowest first": ("Aufgedeckt, niedrigste zuerst", "翻开的牌，从小到大"),
    "Last turn, lowest first": ("Letzter Zug, niedrigste zuerst", "上一轮，从小到大"),
    "to row {row}": ("in Reihe {row}", "放到第 {row} 行"),
    "takes row {row}": ("nimmt Reihe {row}", "收下第 {row} 行"),
    "takes a row": ("nimmt eine Reihe", "收下一行"),
    "waits": ("wartet", "等待"),
    "goes to {name}": ("geht an {name}", "归{name}"),
    "set aside": ("beiseitegelegt", "放到一边"),
    "row": ("Reihe", "行"),
    "full": ("voll", "已满"),
    "The deck": ("Der Stapel", "牌堆"),
    "shuffled, face down": ("gemischt, verdeckt", "已洗牌，面朝下"),
    "Heads": ("Ochsenköpfe", "牛头"),
    "{ordinal} place": ("{place}. Platz", "第 {place} 名"),
    "out": ("ausgeschieden", "出局"),
    "no cards yet": ("noch keine Karten", "还没有牌"),
    "{name}'s hand": ("Hand von {name}", "{name}的手牌"),
    "{count} card stays in the deck, unseen.": ("{count} Karte bleibt verdeckt im Stapel.", _UNSEEN),
    "{count} cards stay in the deck, unseen.": ("{count} Karten bleiben verdeckt im Stapel.", _UNSEEN),
    "{name} took {count} head": ("{name} nahm {count} Ochsenkopf", "{name}收下 {count} 个牛头"),
    "{name} took {count} heads": ("{name} nahm {count} Ochsenköpfe", "{name}收下 {count} 个牛头"),
    # Niu Niu
    "Niu Niu": ("Niu Niu", "牛牛"),
    "No Niu": ("Kein Niu", "没牛"),
    **{f"Niu {points}": (f"Niu {points}", f"牛{digit}") for points, digit in enumerate("一二三四五六七八九", 1)},
    "throw {number}": ("Wurf {number}", "第 {number} 次"),
    "throw {number} of {count}": ("Wurf {number} von {count}", "第 {number} 次，共 {count} 次"),
    "won {count}": ("{count} gewonnen", "赢 {count} 次"),
    "drawn {count}": ("{count} unentschieden", "平 {count} 次"),
    "{names} wins the match": ("{names} gewinnt die Partie", "{names}赢得整场"),
    "{names} share the match": ("{names} teilen sich den Sieg", "{names}并列获胜"),
    "The dice are in the air": ("Die Würfel fliegen", "正在掷骰"),
    "Everyone throws": ("Alle werfen", "所有人掷骰"),
    "{names} draw the throw": ("Unentschieden: {names}", "{names}打成平手"),
    "{name} wins the throw with {hand}": ("{name} gewinnt den Wurf: {hand}", "{name}以{hand}赢下这一掷"),
    "statistics {count}": ("Statistik {count}", "统计分 {count}"),
    "No three add up to a multiple of ten": ("Keine drei Würfel ergeben zehn", "没有三颗能凑成十"),
    # War
    "War": ("Krieg", "拼大小"),
    "round {number}": ("Runde {number}", "第 {number} 回合"),
    "after round {number}": ("nach Runde {number}", "第 {number} 回合后"),
    "{count} war so far": ("bisher {count} Krieg", "已开战 {count} 次"),
    "{count} wars so far": ("bisher {count} Kriege", "已开战 {count} 次"),
    "The game is a draw": ("Das Spiel ist unentschieden", "平局"),
    "{name} wins the game": ("{name} gewinnt das Spiel", "{name}赢得全局"),
    "with all the cards": ("mit allen Karten", "收齐所有牌"),
    "with the larger pile": ("mit dem größeren Stapel", "牌更多"),
    "in sudden death": ("in der Entscheidungsrunde", "决胜回合"),
    "The deck is dealt again": ("Das Blatt wird neu verteilt", "重新发牌"),
    "Both draw piles are reshuffled": ("Beide Stapel werden neu gemischt", "两边的牌堆重新洗牌"),
    "Both turn up their top card": ("Beide decken auf", "双方翻牌"),
    "War! {one} against {other}": ("Krieg! {one} gegen {other}", "开战！{one} 对 {other}"),
    "{name}'s {rank} takes it all": ("{name} nimmt alles: {rank}", "{name}的 {rank} 全部收下"),
    "jack": ("Bube", "J"),
    "queen": ("Dame", "Q"),
    "king": ("König", "K"),
    "ace": ("Ass", "A"),
    "{count} card in the pile": ("{count} Karte im Stapel", "牌堆 {count} 张"),
    "{count} cards in the pile": ("{count} Karten im Stapel", "牌堆 {count} 张"),
    "last round": ("letzte Runde", "上一回合"),
}
"""The English text, and its translations into German and Chinese."""

_COLUMNS: Final[Mapping[Language, int]] = {"de": 0, "zh": 1}


def drawn_text(language: Language, text: str, **values: object) -> str:
    """Return a text of a drawing in a language. A text without a translation stays English.

    >>> drawn_text("de", "{name} takes row {row}", name="Ann", row=2)
    'Ann nimmt Reihe 2'
    """
    if (title := SITE.get().retitled(text)) is not None:
        return title
    column = _COLUMNS.get(language)
    translated = text if column is None or text not in _TEXT else _TEXT[text][column]
    return translated.format(**values)


def is_translated(text: str) -> bool:
    """Return whether a text of a drawing has translations, or is a number."""
    return text in _TEXT or text.isdecimal()


def all_drawn_text(language: Language) -> str:
    """Return all text of a language in one string, for checking that the fonts have its characters."""
    column = _COLUMNS.get(language)
    return "".join(_TEXT if column is None else (texts[column] for texts in _TEXT.values()))
