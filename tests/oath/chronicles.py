"""Chronicles for tests: save strings of the community's programs, chronicles made at random, chance for a step."""

from __future__ import annotations

import random
from collections.abc import Coroutine
from typing import Any, TypeVar

from pbem.engine.core.asks import Roll, Shuffle
from pbem.engine.core.chance import Drawn
from pbem.engine.oath.legacy import ORDINARY_RELICS, Foreign, Legacy, SavedCard, SavedSite
from pbem.engine.oath.printed import COLOURS, DENIZENS, EDIFICES, OATHS, PLACES, SITES, VISIONS

T = TypeVar("T")

NOT_STARTED = (
    "030302000110Empire and Exile0000000123450403FFFFFFFFFFFF0724FFFFFFFFFFFFFFFFFFFF0B19FFFFFFFFFFFFFFFFFFFF"
    "000000002007UNKNOWN"
)
FIRST_GAME = (
    "03030200011BThe Chrysanthemum Chronicle1600000123450403FFFF20FFFFFF0724FFE92BFFFFFF19FFFFFF0B19FFFF22FFFFFF"
    "2AFFFFFF38061B1E0A292508D62B2DD21C022818D5151D312CD3071AD4050F223013331F340B3512232F320D09210C000E01041410"
    "112720262A172E160013E8E7E0DDDCDAEDE6E4EADFE2DEECDBEBE3E1E5002007UNKNOWN"
)
SECOND_GAME = (
    "030200000212Benis the Dinosaur000C0201234511FFDDEC0724FFED1521C8DB08FFFFFF0B0CFFFF0502FFFF25FFFFFF2BFFFFFF"
    "36D2300AD6293C33151C2E076BD30B0F0938137C321018D5231F482F1E35D41D312C118200222D140E05041734282008250D19062B"
    "1B01062A1A1216262710EAE6E0E3DCDEE1E4E9E2E7DAEBE5E8DF"
)
HORDERS = (
    "030200000210The Horder Order0010000123450343FFDE1621C6DC133B86E222FFFFFF26FFFFFF0CFFFFE41EFFFFFF19FFFFFF37"
    "1B6D76D4D61A330A575AAC31A6D3B32AD2D59E16746E0C249C04A510813875159BBC2545A3711769B9BB2880B11E3F5B410B60050D"
    "B619064D5C1F02992B10DDE1EAE9EBE7E6E5DAE3EDDFDBE8ECE0"
)
KNOWN = (NOT_STARTED, FIRST_GAME, SECOND_GAME, HORDERS)
VERSIONS = ((1, 6, 0), (2, 0, 3), (3, 1, 0), (3, 2, 0), (3, 3, 0), (3, 3, 1), (3, 3, 2), (3, 3, 3))
NAMES = ("A", "The Long Winter", "Königsfrieden", "冬の帝国", "0F0F", "x" * 255, "ends with a space ")


def drawn(step: Coroutine[Any, Any, T], seed: int = 0) -> tuple[T, list[str]]:
    """What a step comes to, and the keys of what it shuffled."""
    chance, keys = Drawn(random.Random(seed)), []
    try:
        asked: Roll | Shuffle = step.send(None)
        while True:
            keys.append(asked.key)
            asked = step.send(asked.read(chance.answer(asked, 0, 0)))
    except StopIteration as end:
        return end.value, keys


def any_chronicle(rng: random.Random) -> Legacy:
    """A chronicle of any version in which nothing is twice; much of it may be odd."""
    version = rng.choice(VERSIONS)
    denizens = rng.sample([*DENIZENS], 198)
    edifices = rng.sample([*EDIFICES], 6)
    relics = rng.sample(ORDINARY_RELICS, 20)
    sites = iter(rng.sample([*SITES], 23))
    map, slots = [], []
    for _ in PLACES:
        open_slot = rng.random() < 0.1
        kinds = "..." if open_slot else "".join(rng.choices(".cr", (6, 3, 2), k=3))
        cards = tuple(_card(rng, denizens, edifices) for kind in kinds if kind == "c")
        held = tuple(relics.pop() for kind in kinds if kind == "r")
        site = "" if open_slot else next(sites)
        map.append(SavedSite(site, bool(site) and rng.random() < 0.6, cards, held))
        slots.append(kinds)
    deck = [*(denizens.pop() for _ in range(rng.randrange(60))), *rng.sample([*VISIONS], rng.randrange(6))]
    rng.shuffle(deck)
    late = version >= (3, 3, 1)
    usual = all(kinds == "".join(sorted(kinds, key="c.r".index)) for kinds in slots)
    return Legacy(
        name=rng.choice(NAMES),
        map=tuple(map),
        game=rng.choice((1, 2, 15, 16, 255, 256, 65535)),
        oath=rng.choice([*OATHS]),
        deck=tuple(deck),
        dispossessed=tuple(denizens.pop() for _ in range(rng.randrange(80))),
        relics=tuple(relics[: rng.randrange(21)]) if version >= (3, 1, 0) else (),
        citizens=_colours(rng, COLOURS[1:]),
        winner=rng.choice(COLOURS) if late else "purple",
        winner_name=rng.choice(("", *NAMES)) if late else "",
        last_players=_colours(rng, COLOURS) if version >= (3, 3, 2) else (),
        last_citizens=_colours(rng, COLOURS[1:]) if late else (),
        foreign=Foreign(
            version,
            "".join(rng.sample("012345", 6)),
            () if usual else tuple(slots),
            rng.choice((0, 0x40)) if version >= (3, 3, 2) else rng.randrange(256),
        ),
    )


def _card(rng: random.Random, denizens: list[str], edifices: list[str]) -> SavedCard:
    if edifices and rng.random() < 0.2:
        return SavedCard(edifices.pop(), rng.random() < 0.5)
    return SavedCard(denizens.pop())


def _colours(rng: random.Random, among: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(colour for colour in among if rng.random() < 0.5)
