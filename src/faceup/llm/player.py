"""A language model at an OpenAI-compatible endpoint, and the player that it is."""

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from faceup.core import Action, AnyRules, Generator, Malformed, View
from faceup.core.arguments import check_callable, check_sequence, check_text, real_number
from faceup.core.whole_numbers import whole_number
from faceup.extras import needs
from faceup.llm.prompt import instructions, parse_reply, prompt_version, question

KEY_VARIABLE: Final = "OPENAI_API_KEY"
"""The environment variable with the key of the endpoint, unless another is named."""

_MOST_TRIES: Final = 1000

Message = dict[str, str]


class ModelError(Exception):
    """An endpoint cannot be reached, refuses the request, or answers with something else than a chat completion."""


class Reply(msgspec.Struct, frozen=True):
    """A reply of a model.

    Attributes:
        text: the text.
        prompt_tokens: the tokens of the request, as the endpoint counts them; 0 if it does not.
        completion_tokens: the tokens of the reply, including those of its reasoning.
    """

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


class ModelDecision(msgspec.Struct, frozen=True):
    """The log entry of one decision.

    Attributes:
        model: the name of the model.
        prompt: the version of the prompt.
        position: the position in text notation, as the player saw it.
        replies: the replies, of which the last counts.
        answer: the chosen answer; "" if no reply named one.
        fault: why the last reply was not accepted; "" if it was.
        prompt_tokens: the tokens of all requests.
        completion_tokens: the tokens of all replies.
        seconds: the time for all replies.
        cost: the price of the tokens, if prices are set.
    """

    model: str
    prompt: str
    position: str
    replies: tuple[str, ...]
    answer: str
    fault: str
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    cost: float | None = None


class Model:
    """A model at an endpoint that speaks OpenAI's protocol of chat completions, such as vLLM, Ollama and llama.cpp.

    The `openai` package sends the requests, and repeats those that fail for reasons that pass.

    Args:
        name: the name of the model.
        url: the base address of the endpoint, such as http://localhost:11434/v1; by default that of `OPENAI_BASE_URL`,
            or OpenAI's.
        key_variable: the environment variable that holds the key. The key is only sent to the endpoint, never logged.
        timeout: the most seconds for one reply.
        retries: how often a request is repeated after an error that may pass.
        settings: more members of the request, such as `temperature` and `seed`.

    Raises:
        Malformed: an argument has a wrong type, or is out of range.
        MissingExtraError: the extra `llm` is not installed.
    """

    def __init__(
        self,
        name: str,
        *,
        url: str | None = None,
        key_variable: str = KEY_VARIABLE,
        timeout: float = 120.0,
        retries: int = 2,
        **settings: Any,  # noqa: ANN401 -- of the endpoint
    ) -> None:
        check_text("name", name, "qwen3:4b")
        check_text("key_variable", key_variable, KEY_VARIABLE)
        if url is not None:
            check_text("url", url, "http://localhost:11434/v1")
        timeout, retries = real_number("timeout", timeout), whole_number("retries", retries, 0, _MOST_TRIES)
        with needs("llm", "a language model"):
            import openai  # noqa: PLC0415 -- an extra, and slow to import
        self.name = name
        self._key = os.environ.get(key_variable, "")
        self._settings = settings
        self._errors = openai.OpenAIError
        # Local endpoints need no key, but the package insists on one.
        self._client = openai.OpenAI(base_url=url, api_key=self._key or "none", timeout=timeout, max_retries=retries)

    def ask(self, messages: Sequence[Message]) -> Reply:
        """Return the model's reply to these messages.

        Raises:
            ModelError: there is no reply.
        """
        try:
            completion: Any = self._client.chat.completions.create(
                model=self.name,
                messages=list(messages),
                **self._settings,
            )
        except self._errors as error:
            raise ModelError(self._without_key(f"{self._client.base_url}: {error}")) from None
        except ValueError:
            raise ModelError(f"{self._client.base_url}: the answer is not JSON") from None
        choices = getattr(completion, "choices", None)
        if not choices or getattr(choices[0], "message", None) is None:
            raise ModelError(f"{self._client.base_url}: the answer is not a chat completion")
        usage = getattr(completion, "usage", None)
        return Reply(
            choices[0].message.content or "",
            getattr(usage, "prompt_tokens", 0) or 0,
            getattr(usage, "completion_tokens", 0) or 0,
        )

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "***") if self._key else text


class LanguagePlayer:
    """A player that asks a model for each decision. It is a `Policy`, so environments take it as an opponent.

    Args:
        ask: returns a model's reply to messages, such as `Model(...).ask`.
        model: the name of the model, for the log.
        attempts: how often a model is asked for one decision. After a reply that names no possible answer, it gets the
            error and is asked again.
        prices: dollars for a million tokens of requests and of replies; None if unknown.
        log: receives each decision.

    Attributes:
        decisions, faults: how many decisions there were, and how many without an accepted answer.
        prompt_tokens, completion_tokens: the tokens of all decisions.
    """

    def __init__(
        self,
        ask: Callable[[Sequence[Message]], Reply],
        *,
        model: str,
        attempts: int = 2,
        prices: tuple[float, float] | None = None,
        log: Callable[[ModelDecision], None] | None = None,
    ) -> None:
        attempts = whole_number("attempts", attempts, 1, _MOST_TRIES)
        check_text("model", model, "qwen3:4b")
        check_callable("ask", ask, "a function, such as Model('qwen3:4b').ask")
        if log is not None:
            check_callable("log", log, "a function")
        if prices is not None:
            check_sequence("prices", prices, "two numbers")
            if len(prices) != 2:
                raise Malformed(f"prices must be two numbers; got {prices!r}", what=prices, where="prices")
            prices = real_number("prices", prices[0]), real_number("prices", prices[1])
        self._ask, self._model, self._attempts, self._prices, self._log = ask, model, attempts, prices, log
        self._known_rules: tuple[AnyRules, str, str] | None = None
        self.decisions = self.faults = self.prompt_tokens = self.completion_tokens = 0

    def __call__(self, rules: AnyRules, view: View, rng: Generator) -> Action:
        """Return the model's choice. A decision with one possible action is not asked for.

        Raises:
            ModelError: there is no reply.
            Malformed: no reply names a possible answer.
        """
        del rng  # the endpoint draws
        if len(view.legal) == 1:
            return view.legal[0]
        if self._known_rules is None or self._known_rules[0] != rules:
            self._known_rules = rules, instructions(rules), prompt_version(rules)
        _, system, version = self._known_rules
        messages = [{"role": "system", "content": system}, {"role": "user", "content": question(rules, view)}]
        replies: list[Reply] = []
        started = time.perf_counter()
        action: Action | None = None
        fault = ""
        while action is None and len(replies) < self._attempts:
            replies.append(self._ask(messages))
            try:
                action = parse_reply(rules, view, replies[-1].text)
                fault = ""
            except Malformed as error:
                fault = str(error)
                messages += [
                    {"role": "assistant", "content": replies[-1].text},
                    {"role": "user", "content": f"This was not accepted: {fault}."},
                ]
        tokens = [sum(reply.prompt_tokens for reply in replies), sum(reply.completion_tokens for reply in replies)]
        self.decisions += 1
        self.faults += bool(fault)
        self.prompt_tokens += tokens[0]
        self.completion_tokens += tokens[1]
        if self._log is not None:
            self._log(
                ModelDecision(
                    self._model,
                    version,
                    rules.to_text(view),
                    tuple([reply.text for reply in replies]),
                    "" if action is None else rules.describe(action),
                    fault,
                    tokens[0],
                    tokens[1],
                    round(time.perf_counter() - started, 3),
                    self._cost(*tokens),
                )
            )
        if action is None:
            raise Malformed(fault, what=replies[-1].text, where="reply")
        return action

    def total(self) -> dict[str, Any]:
        """Return the counts of all decisions, and their cost if prices are set, for JSON."""
        counts = {
            "model": self._model,
            "decisions": self.decisions,
            "faults": self.faults,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
        }
        cost = self._cost(self.prompt_tokens, self.completion_tokens)
        return counts if cost is None else counts | {"cost": cost}

    def _cost(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        if self._prices is None:
            return None
        return (prompt_tokens * self._prices[0] + completion_tokens * self._prices[1]) / 1_000_000


class _Request(msgspec.Struct):
    """A line of the JSON-lines protocol; the line that starts a match has no position."""

    position: str = ""


def play_json_lines(player: LanguagePlayer, rng: Generator) -> None:
    """Play in the JSON-lines protocol on standard input and output until the input ends.

    If no reply names a possible answer, the program writes the last reply in one line, which forfeits by the referee's
    rules: nothing else decides in the place of the model.

    Raises:
        ModelError: the endpoint gives no reply.
        Malformed: a line is not a message of the protocol.
    """
    from faceup.core import read  # noqa: PLC0415 -- only programs read positions

    for line in sys.stdin:
        try:
            request = msgspec.json.decode(line, type=_Request)
        except msgspec.DecodeError as error:
            raise Malformed(
                f"each line must be a message of the JSON-lines protocol; got {line.rstrip()[:80]!r}: {error}",
                what=line,
                where="standard input",
            ) from None
        if not request.position:
            continue
        rules, view = read(request.position)
        try:
            answer = rules.describe(player(rules, view, rng))
        except Malformed as error:
            answer = " ".join(str(error.what).split())[:200] or "-"
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()
