from collections.abc import AsyncIterator

import pytest_asyncio

from faceup.server.store import Store


@pytest_asyncio.fixture
async def store(url: str) -> AsyncIterator[Store]:
    opened = await Store.open(url)
    yield opened
    await opened.close()
