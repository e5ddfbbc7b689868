"""Who rules what (O-1.8)."""

from __future__ import annotations

import pytest

from pbem.engine.oath.ruling import rulers, rules

from .positions import BELA, CARA, OREN, YARA, Stage


@pytest.mark.parametrize("crown", ["", CARA, YARA, BELA])
def test_o_1_8_to_rule_is_to_be_among_the_rulers(crown: str) -> None:
    stage = Stage().site("river", ruler=CARA).site("steppe", ruler=YARA).site("wastes", shown=False)
    stage.seat(BELA, citizen=True)
    if crown:
        stage.seat(crown, relics=["bandit_crown"])
    g = stage.g
    for n in range(len(g.map)):
        assert [p.name for p in g.players if rules(g, p, n)] == [r for r in rulers(g, n) if r != "bandits"]
    assert rulers(g, 0) == (CARA, BELA)
    assert rulers(g, stage.slot("wastes")) == ()
    at_salt_flats = {"": ("bandits",), YARA: (YARA,)}.get(crown, (CARA, BELA))
    assert rulers(g, stage.slot("salt_flats")) == at_salt_flats
    assert not rules(g, g.player(OREN), stage.slot("steppe"))
