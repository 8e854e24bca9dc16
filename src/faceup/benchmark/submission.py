"""Submissions: the results of an agent as JSON, with a digest of everything and an optional Ed25519 signature.

The digest shows that a file is complete and unchanged. The signature shows that the holder of the key has made it.
Neither shows that the agent has played these matches: `faceup benchmark verify` plays them again.
"""

import re
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from faceup.benchmark.definition import HELD_OUT, Benchmark, task_name
from faceup.core import Malformed
from faceup.extras import needs

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FORMAT: Final = 1
_NAME: Final = re.compile(r"[\w.@+/-]{1,60}")

Scores = tuple[int | None, ...]
"""The scores of a match, the agent's first, then those of its opponents; the agent's is None if it forfeited."""


class Agent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The agent of a submission.

    Attributes:
        name: the agent's name on the leaderboard.
        bot: name of the built-in bot; empty for a program.
        command: the command of a program; empty for a built-in bot.
        digest: digest of the program and its files, or of the built-in bot.
        training_seed: the seed from which the agent was trained; None if it was not trained.
        author, link, note: who made it, where to find it, and how it was trained.
    """

    name: str
    bot: str = ""
    command: tuple[str, ...] = ()
    digest: str = ""
    training_seed: int | None = None
    author: str = ""
    link: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        """Check the name, which a leaderboard shows, and the training seed. Raises `Malformed`."""
        if not _NAME.fullmatch(self.name):
            message = f"a name must be 1 to 60 letters, digits and . _ @ + / -; got {self.name!r}"
            raise Malformed(message, what=self.name, where="--name")
        if self.training_seed is not None and not 0 <= self.training_seed < HELD_OUT:
            message = (
                f"a training seed must be 0 to 2**63 - 1, because larger seeds are held out; got {self.training_seed}"
            )
            raise Malformed(message, what=self.training_seed, where="--training-seed")


class AnswerTimes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The agent's answer times in milliseconds."""

    mean: float
    p99: float
    most: float


class Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An Ed25519 signature of the digest, with the public key; both in hexadecimal digits."""

    key: str
    signature: str


class Submission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A submission.

    Attributes:
        format: the version of this format.
        benchmark: name of the benchmark.
        definition: digest of the benchmark's definition.
        faceup: the version of faceup that played.
        agent: the agent.
        budget: name of the budget class.
        results: the matches by task, in the order of the schedule. A task is a cell and an opponent.
        times: the agent's answer times by cell.
        digest: SHA-256 digest of the other members, as canonical JSON, without the signature; in hexadecimal digits.
        signature: None if no key was given.
    """

    format: int
    benchmark: str
    definition: str
    faceup: str
    agent: Agent
    budget: str
    results: dict[str, tuple[Scores, ...]]
    times: dict[str, AnswerTimes]
    digest: str = ""
    signature: Signature | None = None

    @property
    def cells(self) -> tuple[str, ...]:
        """Return the names of the cells, in the order of the results."""
        return tuple(dict.fromkeys(task.rpartition("/")[0] for task in self.results))


def digest_of(submission: Submission) -> str:
    """Compute the digest of a submission."""
    content = msgspec.to_builtins(submission)
    del content["digest"], content["signature"]
    return sha256(msgspec.json.encode(content, order="deterministic")).hexdigest()


def load_key(file: Path) -> "Ed25519PrivateKey":
    """Read the Ed25519 private key in a file without passphrase, as PEM or of OpenSSH.

    Raises:
        Malformed: the file has no such key.
        MissingExtraError: the extra `arena` is not installed.
    """
    with needs("arena", "a signature"):
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415 -- if signed
        from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415 -- as above
            load_pem_private_key,
            load_ssh_private_key,
        )
    try:
        text = file.read_bytes()
        load = load_ssh_private_key if b"OPENSSH" in text else load_pem_private_key
        private = load(text, password=None)
    except OSError as error:
        raise Malformed(f"{file} cannot be read: {error.strerror}", what=str(file), where="--key") from None
    except (ValueError, TypeError) as error:
        raise Malformed(
            f"{file} is not a private key without passphrase: {error}", what=str(file), where="--key"
        ) from None
    if not isinstance(private, Ed25519PrivateKey):
        raise Malformed(f"{file} is not an Ed25519 key", what=str(file), where="--key")
    return private


def seal(submission: Submission, key: "Ed25519PrivateKey | None" = None) -> Submission:
    """Return the submission with its digest, and with a signature if there is a key."""
    sealed = msgspec.structs.replace(submission, digest=digest_of(submission), signature=None)
    if key is None:
        return sealed
    public = key.public_key().public_bytes_raw().hex()
    return msgspec.structs.replace(sealed, signature=Signature(public, key.sign(_message(sealed)).hex()))


def _message(submission: Submission) -> bytes:
    """Return the signed message; its first words keep the signature from being used for anything else."""
    return f"faceup benchmark submission {submission.digest}".encode()


def write_submission(submission: Submission) -> str:
    """Return a submission as JSON, with one line for each task."""
    text = msgspec.json.encode(submission).decode()
    for task in (*submission.results, "results", "times", "digest"):
        text = text.replace(f'"{task}":', f'\n"{task}":', 1)
    return text + "\n"


def read_submission(path: Path, benchmark: Benchmark) -> Submission:
    """Read and check a submission.

    Raises:
        Malformed: the file cannot be read, is not a submission to this benchmark, is incomplete, or has a wrong digest
            or signature.
        MissingExtraError: the submission has a signature, and the extra `arena` is not installed.
    """
    try:
        submission = msgspec.json.decode(path.read_bytes(), type=Submission)
    except OSError as error:
        raise Malformed(f"{path} cannot be read: {error.strerror}", what=str(path), where=str(path)) from None
    except msgspec.DecodeError as error:
        raise Malformed(f"{path} is not a submission: {error}", what=str(path), where=str(path)) from None
    if problem := _problem(submission, benchmark):
        raise Malformed(f"{path}: {problem}", what=str(path), where=str(path))
    return submission


def _problem(submission: Submission, benchmark: Benchmark) -> str:
    """Return the first problem of a submission; empty if it is valid."""
    if submission.format != FORMAT:
        return f"the format must be {FORMAT}; got {submission.format}"
    if (submission.benchmark, submission.definition) != (benchmark.name, benchmark.digest):
        return f"it is for another benchmark than {benchmark.name} with the digest {benchmark.digest[:16]}"
    if submission.digest != digest_of(submission):
        return "its content does not have its digest, so it was changed or damaged"
    if submission.budget not in {budget.name for budget in benchmark.budgets}:
        return f"there is no budget class {submission.budget!r}"
    expected = {
        task_name(cell, opponent): (cell.blocks * cell.seats, cell.seats)
        for cell, opponent in benchmark.tasks
        if cell.name in submission.cells
    }
    if not expected or submission.results.keys() != expected.keys() or submission.times.keys() != {*submission.cells}:
        return "every cell must have the results against all opponents, and the answer times"
    for task, (matches, seats) in expected.items():
        scores = submission.results[task]
        if len(scores) != matches or any(len(match) != seats or None in match[1:] for match in scores):
            return f"{task} must have {matches} matches with {seats} scores each"
    return "" if submission.signature is None else _signature_problem(submission, submission.signature)


def _signature_problem(submission: Submission, signed: Signature) -> str:
    with needs("arena", "a signature"):
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 -- only signed submissions need it
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415 -- as above
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signed.key))
        key.verify(bytes.fromhex(signed.signature), _message(submission))
    except (ValueError, InvalidSignature):
        return "the signature is not that of this key"
    return ""
