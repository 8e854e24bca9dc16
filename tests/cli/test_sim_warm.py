import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.subprocess_run import faceup


@pytest.mark.slow
def test_compiled_parts_and_the_cache_folder_are_printed() -> None:
    done = faceup("warm")
    assert done.returncode == 0
    for part in ("6 nimmt!: whole games", "Niu Niu: whole matches", "War: games flip by flip"):
        assert f"s  {part}\n" in done.stderr
    assert done.stdout.startswith("Compiled in ")
    assert " s, cached in " in done.stdout


@pytest.mark.long
def test_what_was_compiled_ahead_is_not_compiled_again(tmp_path: Path) -> None:
    program = """
from faceup.core import make
from faceup.games.nimmt.batch import deal_kernels, playouts, reset, step_kernels
for rows in (1, 4, 8):
    playouts(make("nimmt:classic seats=7", rows=rows), ["greedy"], lanes=300, seed=1, jobs=2)
reset(make("nimmt:arena"), lanes=3, seed=1).mask()
used = [deal_kernels.play_deals, step_kernels.open_deals, step_kernels.fill_mask]
from faceup.games.war.batch import kernels, playouts, reset
playouts(make("war collect=shuffled redeal=false"), lanes=300, seed=1, jobs=2)
reset(make("war reshuffle=0 per_suit=3"), lanes=3, seed=1).observe()
used += [kernels.play_games, kernels.settle_lanes, kernels.close_lanes, kernels.show_lanes]
from faceup.games.niuniu.batch import kernels, playouts, reset
playouts(make("niuniu seats=7 faces=30"), lanes=300, seed=1, jobs=2, matches=True)
reset(make("niuniu seats=3"), lanes=3, seed=1)
used += [kernels.play_matches, kernels.fill_table, kernels.land_lanes]
print(sum(len(each.stats.cache_misses) for each in used))
"""
    ahead = """
from faceup.core import list_games
from faceup.games.batch_engines import load_batch_engine
from faceup.games.nimmt.batch import warmup
warmup._search = lambda rules: None  # half of the time, and nothing that is looked at here
for game in list_games():
    list(load_batch_engine(game).warm())
"""
    environ = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    compiled = subprocess.run([sys.executable, "-c", ahead], env=environ, capture_output=True, text=True, check=False)
    assert compiled.returncode == 0, compiled.stderr
    done = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"
