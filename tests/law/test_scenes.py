"""The scenes for rows that no worked example tells: each finds what its row says, and no more."""

import pytest

from tests.law.scenes import SCENES, found


@pytest.mark.row_by_row
@pytest.mark.parametrize("name", SCENES)
def test_a_scene_finds_what_its_row_says(name: str) -> None:
    assert found(name) == list(SCENES[name][1])
