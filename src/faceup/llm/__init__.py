"""Language models as players: a text environment, a versioned prompt, and a player for OpenAI-compatible endpoints."""

from faceup.llm.player import LanguagePlayer, Model, ModelError
from faceup.llm.prompt import instructions, parse_reply, prompt_version, question
from faceup.llm.text_env import TextDecision, TextEnv

text_env = TextEnv

__all__ = [
    "LanguagePlayer",
    "Model",
    "ModelError",
    "TextDecision",
    "TextEnv",
    "instructions",
    "parse_reply",
    "prompt_version",
    "question",
    "text_env",
]
