"""Order denizens."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.asks import Menu, choose
from ...core.text import Text
from ..battle import ATTACKER, DEFENDER, Battle, Place
from ..battle_queries import MayPlace
from ..campaign.forces import kill, place_words
from ..campaign.plans import kind_for
from ..choices import whether, which_site
from ..empire import become_citizen
from ..events import Play
from ..hooks import Power
from ..oaths import check_title
from ..powers import asked, power
from ..queries import MayMusterOn, Query
from ..ruling import Lying, ruled_sites
from ..state import Oath, Player
from ..verbs import burn_from_bank, favor_from_bank, gain_supply, gain_warbands, to_site

_EXILES = Text("it is for an Exile in a campaign against another Exile")


@power("battle_honors")
class BattleHonors(Power):
    """A victory of the user's side brings 2 favor from the Order bank; bandits burn what they would gain (ruling)."""

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        async def honors(battle: Battle) -> None:
            if user is None:
                burn_from_bank(g, battle.attacker, "order", 2)
            else:
                favor_from_bank(g, user, "order", 2)

        battle.if_won[battle.side_of(user)].append(honors)


@power("bear_traps")
class BearTraps(Power):
    """One attack die fewer, and a warband on the attacker's board dies, which costs no further die (ruling)."""

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        battle.change_pool(DEFENDER, 1)
        kill(battle, ATTACKER, Place(board=battle.attacker.name), 1)


@power("garrison")
class Garrison(Power):
    """A warband for each site that the player rules; then one from the board onto each of them, as far as they
    reach (ruling: the player chooses which go without)."""

    async def when_played(self, g: Oath, me: Lying, play: Play) -> None:
        player = play.player
        sites = ruled_sites(g, player)
        gain_warbands(g, player, len(sites))
        sites = [n for n in sites if asked(g, MayPlace(player=player, site=n)).why is None]
        for n in await _garrisoned(g, player, sites):
            to_site(g, player, n, 1)


async def _garrisoned(g: Oath, player: Player, sites: Sequence[int]) -> list[int]:
    """All of these sites, or as many as there are warbands for."""
    left = list(sites)
    if player.warbands >= len(left):
        return left
    chosen: list[int] = []
    while len(chosen) < player.warbands:
        prompt = Text("Garrison: your warbands do not reach for all sites. Which one gets the next?")
        chosen.append(await which_site(g, player, prompt, "O-5.2.6", left))
        left.remove(chosen[-1])
    return chosen


@power("keep")
class Keep(Power):
    """Two defense dice if this very site is a target."""

    def may_plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> Text | None:
        return None if me.site in battle.target_sites() else Text("its site is no target")

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        battle.defense_dice += 2


@power("longbows")
class Longbows(Power):
    """One attack die more or fewer."""

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        battle.change_pool(battle.side_of(user), 1)


@power("martial_culture")
class MartialCulture(Power):
    """An Exile who beats another Exile may become a Citizen without an offer (O-12.2.4): no relic, full Supply, the
    Act phase ends if it is the user's turn."""

    def may_plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> Text | None:
        enemy = battle.defender if user is battle.attacker else battle.attacker
        exiles = user is not None and enemy is not None and "exile" == user.role == enemy.role
        return None if exiles else _EXILES

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        async def offered(battle: Battle) -> None:
            assert user is not None
            prompt = Text(
                "Martial Culture: do you become a Citizen? In your own turn your Act phase ends then."
            )
            kind = kind_for(battle, user)
            if await whether(user, "martial-culture", prompt, "O-12.2.4", kind=kind):
                await become_citizen(g, user)
                await check_title(g)

        battle.if_won[battle.side_of(user)].append(offered)


@power("pressgangs")
class Pressgangs(Power):
    """This Muster may use a card on which tokens lie."""

    ANSWERS = (MayMusterOn,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, MayMusterOn) and me.id in query.declared:
            query.occupied_too = True


@power("scouts")
class Scouts(Power):
    """One Supply at once."""

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        assert user is not None
        gain_supply(g, user, 1)


@power("wrestlers")
class Wrestlers(Power):
    """A warband of the defending force may be sacrificed for a defense die; bandits have none to sacrifice (ruling)."""

    def may_plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> Text | None:
        if user is None or not battle.force(DEFENDER):
            return Text("no warband defends that could be sacrificed")
        return None

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        assert user is not None
        place = await _which_wrestler(battle, user)
        if place is not None:
            kill(battle, DEFENDER, place, 1)
            battle.defense_dice += 1


async def _which_wrestler(battle: Battle, user: Player) -> Place | None:
    menu: Menu[Place | None] = Menu()
    for place in battle.places(DEFENDER):
        if place.count(battle.g):
            where = place_words(battle.g, place)
            menu.add(
                Text("sacrifice one {where}", where=where),
                place,
                id=place.board or f"site.{place.site}",
                also=(Text("{where}", where=where),),
            )
    menu.add(Text("sacrifice nothing"), None, id="nothing", also=(Text("nothing"), Text("no")))
    prompt = Text("Wrestlers: do you sacrifice a warband for a defense die, and where?")
    return await choose(user.name, "wrestlers", menu, prompt, section="O-6.4", kind=kind_for(battle, user))
