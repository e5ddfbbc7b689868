"""Terms of the rules, as statements of our own (`rules <word>`)."""

from __future__ import annotations

import msgspec

from ..core.text import Text


class Statement(msgspec.Struct, frozen=True):
    """A term: its place in the rules, other words for it, and what there is to know."""

    name: Text
    section: str
    keys: tuple[str, ...]
    lines: tuple[Text, ...]


STATEMENTS = (
    Statement(
        Text("turn"),
        "O-4",
        ("wake", "act", "rest", "round"),
        (
            Text("Each turn is Wake, Act, Rest; there are eight rounds at most."),
            Text(
                "Wake: People’s Favor, victory check, the title is flipped, a token from the site; in this order."
            ),
            Text("Act: any number of actions, each finished before the next one begins."),
            Text("Rest: tokens leave the cards, secrets turn face up, Supply is refreshed."),
        ),
    ),
    Statement(
        Text("Supply"),
        "O-4.5",
        ("supply", "refresh"),
        (
            Text("It runs from 7 to 0; an action that costs Supply needs as much as it costs."),
            Text(
                "In the Rest it is set by the warbands in the bank: 3 to 6, and what was not spent comes on top."
            ),
            Text("A Citizen copies the Chancellor’s Supply."),
        ),
    ),
    Statement(
        Text("Search"),
        "O-5.1",
        ("draw", "world deck"),
        (
            Text("Draw up to three cards from the world deck or from the pile of your pawn’s region."),
            Text("The pile costs 2 Supply; the world deck costs 2, 3 or 4 by the Visions drawn so far."),
            Text("A Vision out of the world deck ends the drawing."),
            Text(
                "All but one are discarded to the next region’s pile; that one is played, kept or discarded."
            ),
        ),
    ),
    Statement(
        Text("Muster"),
        "O-5.3",
        ("warbands",),
        (
            Text("1 Supply: put 1 favor on a card at your site without tokens and gain 2 warbands."),
            Text("Who rules the site does not matter; ruins and advisers will not do."),
        ),
    ),
    Statement(
        Text("Trade"),
        "O-5.4",
        ("favor", "secrets"),
        (
            Text("1 Supply, with a card at your site without tokens."),
            Text(
                "For favor: put 1 secret on it; gain 1 favor and 1 more for each faceup adviser of its suit."
            ),
            Text("For secrets: put 2 favor on it; gain 1 secret for each faceup adviser of its suit."),
        ),
    ),
    Statement(
        Text("Recover"),
        "O-5.5",
        ("relic", "relics", "banner", "banners"),
        (
            Text("1 Supply: a relic at your site for what the site asks, or a banner wherever it is."),
            Text("A banner takes more tokens than lie on it; they lie on it then."),
            Text(
                "From another player the Darkest Secret can be recovered only if a card at their site has a suit "
                "that none of their faceup advisers shares."
            ),
        ),
    ),
    Statement(
        Text("Travel"),
        "O-5.6",
        ("pawn",),
        (
            Text("To any other site; by the regions it costs 1 to 4 Supply."),
            Text("A facedown site is turned up when a pawn arrives. Warbands on the board come along."),
        ),
    ),
    Statement(
        Text("discarding"),
        "O-5.7",
        ("discard", "pile", "piles"),
        (
            Text(
                "A card goes face down to the pile of the region after the pawn’s; from another region, after its own."
            ),
            Text("Cradle, Provinces, Hinterland, and Cradle again."),
        ),
    ),
    Statement(
        Text("Campaign"),
        "O-6",
        ("attack", "defense", "dice", "battle plan", "battle plans"),
        (
            Text(
                "2 Supply, against one defender at your site, or against the bandits if no player rules it."
            ),
            Text(
                "Targets: sites of the defender, and with the pawn at your site relics, banners, pawn and favor."
            ),
            Text("You roll as many attack dice as you like, up to the warbands on your board."),
            Text("The attacker wins with more than the defense; the defeated side loses half of its force."),
        ),
    ),
    Statement(
        Text("ruling"),
        "O-1.8",
        ("rule", "rules", "ruler", "bandits"),
        (
            Text(
                "Whoever has a warband at a faceup site rules it and the cards there; without warbands, bandits do."
            ),
            Text("Every Imperial player rules the sites with purple warbands."),
        ),
    ),
    Statement(
        Text("advisers"),
        "O-5.2",
        ("adviser", "restriction", "locked"),
        (
            Text("Three at most, face up or face down. A facedown one has no suit and no power."),
            Text("When one more is played, another must be discarded first; a locked faceup one cannot be."),
        ),
    ),
    Statement(
        Text("costs"),
        "O-8.2",
        ("cost", "burn", "secret", "modifier", "modifiers", "access"),
        (
            Text("You may use a card that you rule, or one at your pawn’s site; advisers must be face up."),
            Text("A cost that lays tokens needs a card without tokens; battle plans do not."),
            Text("Burned tokens go to the shared bank. Secrets that lie face down cannot pay."),
        ),
    ),
    Statement(
        Text("People’s Favor"),
        "O-9.4",
        ("peoples favor", "mob"),
        (
            Text(
                "In its holder’s Wake 1 favor goes onto it, or from it to a poorest bank; twice on the Mob side."
            ),
            Text("With 6 or more on it, it turns to the Mob side; recovering it turns it back."),
            Text("Its holder may play to any faceup site of the region, and discard a denizen of it first."),
        ),
    ),
    Statement(
        Text("Darkest Secret"),
        "O-9.1",
        (),
        (Text("Its holder pays 2 Supply for a Search of the world deck, however many Visions were drawn."),),
    ),
    Statement(
        Text("Oathkeeper"),
        "O-10.2",
        ("title", "usurper", "oath"),
        (
            Text(
                "The title goes at once to whoever meets the oath better; in a tie that the holder shares, it stays."
            ),
            Text(
                "An Exile who holds it turns it to Usurper in the Wake, and wins if it is still so in the next."
            ),
            Text("In defense it adds 1 die, as Usurper 2."),
        ),
    ),
    Statement(
        Text("Visions"),
        "O-11",
        ("vision", "goal"),
        (
            Text(
                "An Exile may reveal one and wins in the Wake if it is met and three Visions have been drawn."
            ),
            Text("The Chancellor and Citizens may only keep them face down."),
        ),
    ),
    Statement(
        Text("Citizens"),
        "O-12",
        ("citizen", "empire", "imperial", "chancellor", "exile", "scepter"),
        (
            Text(
                "The Chancellor and the Citizens are the Empire: they share the purple warbands and what they rule."
            ),
            Text(
                "Whoever holds the Grand Scepter may offer citizenship to an Exile, with a relic of the Reliquary."
            ),
            Text("A Citizen wins only as Successor, when the Empire wins."),
        ),
    ),
    Statement(
        Text("Imperial Reliquary"),
        "O-12.6",
        ("reliquary", "brutal", "careless", "decadent", "greedy"),
        (
            Text(
                "Four facedown relics; the space of one that was given away works on the Chancellor from then on."
            ),
            Text("Brutal: where the Chancellor attacks, the defeated side loses its whole force."),
            Text("Careless: a Trade brings 1 favor more; one for secrets brings 1 secret less."),
            Text("Decadent: Travel into the Cradle is free, to the Hinterland it costs 1 more."),
            Text("Greedy: a Search draws 2 cards more and may not cost more than 2 Supply."),
        ),
    ),
    Statement(
        Text("winning"),
        "O-17",
        ("win", "victory", "end", "successor"),
        (
            Text("An Exile wins in the Wake as Usurper, or with a revealed Vision that is met."),
            Text(
                "After rounds 5, 6 and 7 a die ends the game if the Empire holds the title: on 6, from 5, from 3."
            ),
            Text(
                "After round 8: the Empire if it holds the title, else a Usurper, else a met Vision, else the Empire."
            ),
        ),
    ),
)
"""In the order of the rules."""
