"""Our server as it is, but for the limits on how much one player may do: `python -m benchmarks.online_server PORT URL`.

A load of a thousand players who choose as fast as they can is what those limits are there to refuse.
"""

import sys

from faceup.server.api import Limits, Rate
from faceup.server.logs import begin
from faceup.server.running import run
from faceup.server.serving import opened
from faceup.server.settings import Settings

ANY = Rate(burst=1e6, a_second=1e6)
LIMITS = Limits(commands=ANY, requests=ANY, from_address=ANY, players=ANY, tables=ANY)


def main() -> None:
    settings = Settings(port=int(sys.argv[1]), database=sys.argv[2], log_level="warning")
    begin(settings.log, settings.log_level)
    run(settings, opened(settings, LIMITS), lambda port: print(f"serving {port}", flush=True))


if __name__ == "__main__":
    main()
