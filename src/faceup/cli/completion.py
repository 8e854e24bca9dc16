"""`faceup completion`: what a shell needs to complete the command line."""

from argparse import ArgumentParser, Namespace

from faceup.cli.options import Commands, add_json, command


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "completion",
        "print what a shell needs to complete `faceup`",
        run,
        examples=(
            "faceup completion bash > ~/.local/share/bash-completion/completions/faceup",
            "faceup completion zsh > ~/.zfunc/_faceup",
        ),
    )
    add_json(parser)
    parser.add_argument("shell", choices=["bash", "zsh", "tcsh"])


def run(arguments: Namespace) -> None:
    """Print the script."""
    import msgspec
    import shtab

    from faceup.cli.main import parser

    whole: ArgumentParser = parser()
    script = shtab.complete(whole, arguments.shell)
    print(msgspec.json.encode({"shell": arguments.shell, "script": script}).decode() if arguments.json else script)
