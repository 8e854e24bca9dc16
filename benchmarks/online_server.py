"""Run our server without rate limits: `python -m benchmarks.online_server PORT URL`.

The limits would reject the load of the benchmark: a thousand players who choose as fast as they can.
"""

import sys

from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.process.logs import setup_logging
from faceup.server.process.serve import opened
from faceup.server.process.settings import Settings
from faceup.server.process.uvicorn_server import run

ANY = RateLimit(burst=1e6, per_second=1e6)
LIMITS = ServerLimits(
    commands=ANY, requests=ANY, per_address=ANY, tables=ANY, live=1_000_000, live_per_address=1_000_000
)


def main() -> None:
    settings = Settings(port=int(sys.argv[1]), database=sys.argv[2], log_level="warning").without_limits()
    setup_logging(settings.log, settings.log_level)
    run(settings, opened(settings, LIMITS), lambda port: print(f"serving {port}", flush=True))


if __name__ == "__main__":
    main()
