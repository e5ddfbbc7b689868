"""Setting up a position by hand: each function checks its value before it changes anything."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.ruleset import BadPath, Json
from ..core.sealed import Sealed
from ..core.spots import whole, yes_or_no
from ..core.text import Text
from .cards import PERMANENT
from .counts import on_board
from .setup import lay_out as lay_out_cards
from .state import (
    CITIZENS,
    COLOURS,
    DICE_A_COLOUR,
    EMPTY,
    NEUTRALS,
    ActivitySpace,
    Dice,
    EventOnTable,
    Seat,
    Troyes,
    no_dice,
)
from .words import GREY

PHASES = (
    "place",
    "activities",
    "income",
    "workforce",
    "events",
    "effects",
    "black dice",
    "fights",
    "actions",
    "end",
    "scoring",
)

_COLOUR = {"r": "red", "w": "white", "y": "yellow"}


def lay_out(g: Troyes) -> None:
    """Cards in printed order, an empty board, the first seat's turn in the actions of round 1."""
    lay_out_cards(g)
    g.phase, g.round = "actions", 1


# values


def _seat(g: Troyes, value: Json) -> str:
    known = {seat.name.casefold(): seat.name for seat in g.seats}
    if not isinstance(value, str) or value.casefold() not in known:
        raise BadPath(
            Text("a seat is wanted here: {seats}", seats=tuple(known.values())), tuple(known.values())
        )
    return known[value.casefold()]


def _owner(g: Troyes, value: Json, grey: bool) -> str:
    """A seat, grey where it may be, or empty."""
    if value in ("empty", ""):
        return EMPTY
    if grey and value == GREY:
        return GREY
    return _seat(g, value)


def _list(value: Json) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise BadPath(Text("a list of names is wanted here"))
    return list(value)


def _known(ids: Sequence[str], known: Sequence[str]) -> None:
    for id in ids:
        if id not in known:
            raise BadPath(Text("there is no card “{card}” that could be here", card=id), tuple(known)[:6])
    if len(dict.fromkeys(ids)) != len(ids):
        raise BadPath(Text("a card is named twice"))


# the table


def set_round(g: Troyes, value: Json) -> None:
    """The number of the round."""
    g.round = whole(value, g.rounds)


def set_phase(g: Troyes, value: Json) -> None:
    """The phase, from its beginning."""
    if value not in PHASES:
        raise BadPath(Text("a phase is wanted here: {phases}", phases=PHASES), PHASES)
    g.phase = value
    g.effect, g.fought = 0, False


def set_start(g: Troyes, value: Json) -> None:
    """The start player, who also has the turn."""
    name = _seat(g, value)
    g.start = g.turn = [seat.name for seat in g.seats].index(name)


def set_turn(g: Troyes, value: Json) -> None:
    """Whose turn it is."""
    g.turn = [seat.name for seat in g.seats].index(_seat(g, value))


def set_effects(g: Troyes, value: Json) -> None:
    """How many events have taken effect this round."""
    g.effect = whole(value, max(0, len(g.events) - 1))


def set_taken(g: Troyes, value: Json) -> None:
    """Black dice taken and not rolled yet."""
    g.black_taken = whole(value)


def set_fought(g: Troyes, value: Json) -> None:
    """Whether the player on turn has met the highest black die."""
    g.fought = yes_or_no(value)


def set_black(g: Troyes, value: Json) -> None:
    """The black dice."""
    faces = []
    for one in str(value).split():
        face = one.removeprefix("k")
        if face not in "123456" or len(face) != 1:
            raise BadPath(Text("“{die}” is no black die; write k1 to k6", die=one))
        faces.append(int(face))
    if len(faces) > DICE_A_COLOUR:
        raise BadPath(Text("there are only six black dice (T-4.8)"))
    g.black = sorted(faces, reverse=True)


def set_dice(g: Troyes, owner: str, value: Json) -> None:
    """The dice of a district."""
    dice = _parsed_dice(value)
    for colour in COLOURS:
        others = sum(len(s.dice[colour]) for s in g.seats if s.name != owner)
        others += len(g.grey_dice[colour]) if owner != GREY else 0
        if others + len(dice[colour]) > DICE_A_COLOUR:
            raise BadPath(Text("there are only six dice of a colour (T-1.2)"))
    if owner == GREY:
        g.grey_dice = dice
    else:
        g.seat(owner).dice = dice


def _parsed_dice(value: Json) -> Dice:
    dice = no_dice()
    for one in str(value).replace(",", " ").split():
        if len(one) != 2 or one[0] not in _COLOUR or one[1] not in "123456":
            raise BadPath(Text("“{die}” is no die; write them as r5 w2 y3", die=one))
        dice[_COLOUR[one[0]]].append(int(one[1]))
    return {colour: sorted(faces, reverse=True) for colour, faces in dice.items()}


def set_pile(g: Troyes, pile: str, value: Json) -> None:
    """An event pile, its top card first; cards not named are out of the game."""
    ids = _list(value)
    spare = [*g.piles[pile].under_seal(), *g.unused_events.under_seal()]
    _known(ids, spare)
    g.piles[pile] = Sealed(ids)
    g.unused_events = Sealed([id for id in spare if id not in ids])


# seats


def set_number(seat: Seat, field: str, most: int, value: Json) -> None:
    """A plain amount."""
    setattr(seat, field, whole(value, most))


def set_passed(seat: Seat, value: Json) -> None:
    """Whether the player has passed."""
    seat.passed = yes_or_no(value)


def set_supply(g: Troyes, seat: Seat, value: Json) -> None:
    """Citizens in the personal supply; all others that are not on the board are in the general one."""
    spare = CITIZENS - on_board(g, seat.name)
    seat.supply = whole(value, spare)
    seat.general = spare - seat.supply


def set_characters(g: Troyes, seat: Seat, value: Json) -> None:
    """A hand; what it held goes to whoever held the new cards, or out of the game."""
    ids = _list(value)
    held = list(seat.characters.under_seal())
    _known(ids, list(g.cards.characters))
    if len(ids) != len(held):
        raise BadPath(Text("each player holds {n} of them here", n=len(held)))
    freed = [id for id in held if id not in ids]
    for other in g.seats:
        if other is not seat:
            hand = [freed.pop() if id in ids else id for id in other.characters.under_seal()]
            other.characters = Sealed(tuple(hand), other.characters.owners)
    unused = [freed.pop() if id in ids else id for id in g.unused_characters.under_seal()]
    g.unused_characters = Sealed(unused)
    seat.characters = Sealed(tuple(ids), seat.characters.owners)


def set_won(g: Troyes, seat: Seat, value: Json) -> None:
    """Event cards won, taken from wherever they are."""
    ids = _list(value)
    _known(ids, [id for id in g.cards.events if id != PERMANENT])
    freed = [id for id in seat.won if id not in ids]
    for id in ids:
        if id not in seat.won:
            _take_event(g, id)
    seat.won = ids
    g.unused_events = Sealed(g.unused_events.under_seal() + freed)


# citizens


def _to_board(g: Troyes, who: str) -> None:
    """One more citizen comes from the supplies."""
    if who == EMPTY:
        return
    if who == GREY:
        if not g.grey_supply:
            raise BadPath(Text("there are only {n} neutral citizens (T-1.3)", n=NEUTRALS))
        g.grey_supply -= 1
        return
    seat = g.seat(who)
    if seat.supply:
        seat.supply -= 1
    elif seat.general:
        seat.general -= 1
    else:
        raise BadPath(Text("{who} has only {n} citizens (T-1.3)", who=who, n=CITIZENS))


def _from_board(g: Troyes, who: str) -> None:
    """A citizen goes back to the supplies."""
    if who == GREY:
        g.grey_supply += 1
    elif who != EMPTY:
        g.seat(who).supply += 1


def _swap(g: Troyes, old: Sequence[str], new: Sequence[str]) -> None:
    """Citizens leave the board and others come; raises `BadPath` with nothing changed."""
    for who in old:
        _from_board(g, who)
    came = []
    try:
        for who in new:
            _to_board(g, who)
            came.append(who)
    except BadPath:
        for who in came:
            _from_board(g, who)
        for who in old:
            _to_board(g, who)
        raise


def set_space(g: Troyes, building: str, row: int, space: int, value: Json) -> None:
    """Who stands on a space."""
    who = _owner(g, value, grey=True)
    _swap(g, [g.spaces[building][row][space]], [who])
    g.spaces[building][row][space] = who


def set_lying(g: Troyes, building: str, value: Json) -> None:
    """Who lies beside a building."""
    names = [_seat(g, one) for one in _list(value)]
    _swap(g, g.lying[building], names)
    g.lying[building] = names


def set_tradesmen(g: Troyes, card: ActivitySpace, value: Json) -> None:
    """Tradesmen on a card, leftmost first."""
    names = [_owner(g, one, grey=False) for one in _list(value)]
    standing = [who for who in names if who]
    if len(dict.fromkeys(standing)) != len(standing):
        raise BadPath(Text("one tradesman for each player on a card (T-5.15)"))
    _swap(g, card.tradesmen, names)
    card.tradesmen = names


# cubes and cards


def set_vault(g: Troyes, level: int, column: int, value: Json) -> None:
    """Whose cube is on the cathedral."""
    who = _owner(g, value, grey=False)
    if who and level and not g.cathedral[level - 1][column]:
        raise BadPath(Text("the space below it is empty (T-5.26)"))
    g.cathedral[level][column] = who


def set_cubes(card: ActivitySpace, name: str, value: Json) -> None:
    """Deferred cubes."""
    n = whole(value)
    card.cubes.pop(name, None)
    if n:
        card.cubes[name] = n


def set_activities(g: Troyes, value: Json) -> None:
    """Which cards are face up; each on the space of its colour and number."""
    ids = _list(value)
    prints = g.cards.activities
    _known(ids, list(prints))
    spaces = [(prints[id].colour, prints[id].round) for id in ids]
    if len(dict.fromkeys(spaces)) != len(spaces):
        raise BadPath(Text("only one card of each colour and number is in a game (T-1.7)"))
    for card in g.activities:
        wanted = next((i for i, s in zip(ids, spaces, strict=True) if s == (card.colour, card.number)), "")
        if wanted != card.shown:
            _swap(g, card.tradesmen, [])
            card.tradesmen, card.cubes, card.shown = [], {}, wanted
        if wanted:
            _lay(g, card, wanted)


def set_face_down(g: Troyes, card: ActivitySpace, value: Json) -> None:
    """A card that nobody has seen yet."""
    prints = g.cards.activities
    kin = [id for id, p in prints.items() if (p.colour, p.round) == (card.colour, card.number)]
    _known([value] if isinstance(value, str) else [""], kin)
    _lay(g, card, value)


def _lay(g: Troyes, card: ActivitySpace, id: str) -> None:
    """Exchange the card on a space for one that is not in the game."""
    lay = card.card.under_seal()
    if lay == id:
        return
    unused = [other for other in g.unused_activities.under_seal() if other != id]
    g.unused_activities = Sealed([*unused, lay] if lay else unused)
    card.card = Sealed(id, tuple(seat.name for seat in g.seats) if card.shown else ())


def set_events(g: Troyes, value: Json) -> None:
    """The events on the table, from the left; cubes of those that stay are kept."""
    ids = _list(value)
    _known(ids, list(g.cards.events))
    stay = {event.id: event for event in g.events}
    for id in ids:
        if id not in stay and id != PERMANENT:
            _take_event(g, id)
    gone = [id for id in stay if id not in ids and id != PERMANENT]
    g.unused_events = Sealed(g.unused_events.under_seal() + gone)
    g.events = [stay.get(id) or EventOnTable(id) for id in ids]


def _take_event(g: Troyes, id: str) -> None:
    """A card out of whatever place it is in."""
    g.piles = {p: pile.changed(lambda ids: [i for i in ids if i != id]) for p, pile in g.piles.items()}
    g.unused_events = g.unused_events.changed(lambda ids: [i for i in ids if i != id])
    g.events = [event for event in g.events if event.id != id]
    for seat in g.seats:
        seat.won = [i for i in seat.won if i != id]


def set_banners(g: Troyes, event: EventOnTable, value: Json) -> None:
    """Cubes on an event, in the order of placing."""
    names = [_seat(g, one) for one in _list(value)]
    most = g.cards.events[event.id].banners
    if len(names) > most:
        raise BadPath(Text("this event has {n} banners", n=most))
    event.cubes = names
