"""Hearth denizens: campaigns and exchanges."""

from __future__ import annotations

from pbem.engine.core.text import Text
from pbem.engine.oath import cards as _cards
from pbem.engine.oath.actions.minor import offer_powers
from pbem.engine.oath.battle_queries import Losses
from pbem.engine.oath.events import RelicsTaken
from pbem.engine.oath.queries import MayGiveSecrets

from ..inventing import Made, fought, on, steppe
from ..positions import BELA, CARA, OREN, YARA, Stage, count

assert _cards


# Extra Provisions


def test_extra_provisions_add_one_defense_die_for_one_favor() -> None:
    stage = fought(steppe().seat(CARA, favor=1, advisers=["extra_provisions"])).does(
        CARA, "plan extra provisions"
    )
    assert "Attack dice 3, defense dice 2 are rolled." in stage.heard()
    assert stage.player(CARA).favor == 0
    assert stage.g.banks["hearth"] == 4, "out of turn it goes to the bank at once"
    count(stage)


def test_extra_provisions_are_for_defenders_who_can_pay() -> None:
    assert CARA not in fought(steppe().seat(CARA, advisers=["extra_provisions"])).asked()
    assert fought(steppe().seat(YARA, advisers=["extra_provisions"])).asked().get(YARA) != "battle-plan"


# Traveling Doctor


def test_traveling_doctor_saves_a_defeated_force_and_leaves() -> None:
    stage = fought(steppe().seat(CARA, advisers=["traveling_doctor"]).dice(attack="5 5 5", defense="0"))
    stage.does(CARA, "plan traveling doctor").does(YARA, "place 0")
    assert stage.player(CARA).warbands == 2
    assert stage.player(CARA).advisers == []
    assert stage.g.piles["provinces"][-1].card.under_seal() == "traveling_doctor"
    count(stage)


def test_traveling_doctor_stays_where_the_user_wins() -> None:
    stage = fought(steppe().seat(CARA, advisers=["traveling_doctor"]).dice(attack="0 0 0", defense="2"))
    stage.does(CARA, "plan traveling doctor").does(YARA, "sacrifice nothing")
    assert [a.shown for a in stage.player(CARA).advisers] == ["traveling_doctor"]


def test_traveling_doctor_saves_an_attacker_from_the_defeat_but_not_from_skulls() -> None:
    stage = steppe().seat(YARA, advisers=["traveling_doctor"]).dice(attack="5 0 0", defense="4")
    stage.seat(CARA, at="steppe", warbands=6)
    fought(stage).does(YARA, "plan traveling doctor")
    assert stage.asked() == {}
    assert stage.player(YARA).warbands == 4, "one to the skull, none to the defeat"
    assert stage.player(YARA).advisers == []
    count(stage)


def test_traveling_doctor_beats_what_would_kill_all(invent: Made) -> None:
    invent("billowing_fog", modify=on(Losses, lambda query: query.all()))
    stage = steppe(cards=["billowing_fog"]).seat(CARA, advisers=["traveling_doctor"])
    fought(stage.dice(attack="5 5 5", defense="0")).does(CARA, "plan traveling doctor")
    assert stage.player(CARA).warbands == 2


# Tinker's Fair


def fair() -> Stage:
    stage = Stage().site("river", cards=["tinkers_fair"]).seat(YARA, at="river", favor=3, secrets=1)
    stage.seat(BELA, at="wastes", favor=1, relics=["map"]).banner("darkest_secret", 1, BELA)
    return stage.act(YARA, offer_powers).does(YARA, "use tinker's fair")


def test_tinkers_fair_exchanges_with_anybody_anywhere() -> None:
    stage = fair().does(YARA, "propose to bela giving 2 favor, 1 secret asking map")
    assert stage.asked() == {BELA: "deal"}
    stage.does(BELA, "accept")
    yara, bela = stage.player(YARA), stage.player(BELA)
    assert (yara.favor, yara.secrets, [r.id for r in yara.relics]) == (1, 0, ["map"])
    assert (bela.favor, bela.secrets, bela.relics) == (3, 1, [])
    assert stage.asked() == {}, "one exchange, with one player"
    count(stage)


def test_tinkers_fair_may_be_refused_and_tried_again() -> None:
    stage = fair().does(YARA, "propose to bela asking map").does(BELA, "refuse")
    assert (stage.asked(), [r.id for r in stage.player(BELA).relics]) == ({YARA: "propose"}, ["map"])
    assert stage.does(YARA, "done").asked() == {}


def test_tinkers_fair_knows_no_banners_and_no_advisers() -> None:
    stage = fair()
    assert stage.refusal(YARA, "propose to bela asking the darkest secret")
    assert "nothing that may be exchanged" in stage.refusal(YARA, "propose to oren asking 1 favor")
    assert stage.refusal(YARA, "propose to yara giving 1 favor")


def test_tinkers_fair_takes_nothing_so_nothing_answers_it(invent: Made) -> None:
    heard: list[str] = []

    async def after(self: object, g: object, me: object, event: object) -> None:
        heard.append("taken")

    invent("relic_thief", reacts=(RelicsTaken,), after=after)
    stage = fair().seat(OREN, advisers=["relic_thief"])
    stage.does(YARA, "propose to bela giving 1 favor asking map").does(BELA, "accept")
    assert heard == []


def test_tinkers_fair_moves_no_secrets_of_somebody_who_may_give_none(invent: Made) -> None:
    def silent(query: MayGiveSecrets) -> None:
        if query.player.name == YARA:
            query.refuse(Text("sworn to silence"))

    invent("vow_of_silence", modify=on(MayGiveSecrets, silent))
    stage = Stage().site("river", cards=["tinkers_fair"]).seat(YARA, at="river", secrets=1, favor=1)
    stage.seat(YARA, advisers=["vow_of_silence"]).act(YARA, offer_powers).does(YARA, "use tinker's fair")
    assert "sworn to silence" in stage.refusal(YARA, "propose to bela giving 1 secret")
