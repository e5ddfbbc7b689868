"""The rules by their sections, in our own words, and the words they are found under."""

from __future__ import annotations

from typing import NamedTuple

from ..core.text import Text


class Statement(NamedTuple):
    """What `rules <word>` shows about one thing."""

    section: str
    name: Text
    keys: tuple[str, ...]
    """Words it is found under, besides its name and section."""
    lines: tuple[Text, ...]


STATEMENTS = (
    Statement(
        "T-1.5",
        Text("deniers"),
        ("money", "denier", "coins"),
        (Text("Deniers are the money. Everybody’s deniers are open, and the bank never runs out."),),
    ),
    Statement(
        "T-1.5",
        Text("victory points"),
        ("vp", "points", "score"),
        (
            Text("Victory points stay hidden until the end; each mail tells you your own."),
            Text("They never fall below zero."),
        ),
    ),
    Statement(
        "T-2.7",
        Text("setup placement"),
        ("placement", "snake", "setup"),
        (
            Text("One citizen at a time on an empty space of a main building: first clockwise, then back."),
            Text("With two players six neutral citizens stand there before; otherwise they fill the rest."),
        ),
    ),
    Statement(
        "T-3.6",
        Text("wages"),
        ("income", "wage"),
        (
            Text(
                "Each round brings 10 deniers; then each own citizen costs 2 in the Palace, 1 in the Bishopric."
            ),
            Text("If the money does not suffice, all of it goes, and up to 2 VP."),
        ),
    ),
    Statement(
        "T-3.9",
        Text("workforce"),
        ("dice", "roll"),
        (Text("One die for each own citizen in a building: red Palace, white Bishopric, yellow City Hall."),),
    ),
    Statement(
        "T-4.3",
        Text("events"),
        ("event",),
        (
            Text("Every round brings new events at the right; then all of them work, from left to right."),
            Text("Who cannot suffer an event in full suffers what is possible and loses up to 2 VP."),
            Text("An event comes back every round until it is countered."),
        ),
    ),
    Statement(
        "T-4.10",
        Text("fighting black dice"),
        ("fight", "fights", "black", "enemies"),
        (
            Text(
                "From the start player on, each must fight the highest black die left, then may fight more."
            ),
            Text("It takes own dice with at least its value; colours may be mixed, red dice count double."),
            Text("A beaten die gives 1 influence. Only who cannot win may lose: up to 2 VP, dice are kept."),
        ),
    ),
    Statement(
        "T-5.2",
        Text("group of dice"),
        ("group", "groups"),
        (Text("An action uses one to three dice of one colour; their sum is the group’s value."),),
    ),
    Statement(
        "T-5.3",
        Text("buying dice"),
        ("buy", "buying", "price", "foreign"),
        (
            Text(
                "Dice of other districts cost 2 each in a group of one, 4 in a group of two, 6 in one of three."
            ),
            Text("All dice count for the size, only foreign ones are paid. The owner cannot refuse."),
        ),
    ),
    Statement(
        "T-5.13",
        Text("activities"),
        ("activity", "card", "cards", "use"),
        (
            Text(
                "Write: use Miller with y5 y3. The value divided by the card’s number, rounded down, is how often."
            ),
            Text("Without a tradesman on the card you hire one in the same action."),
        ),
    ),
    Statement(
        "T-5.14",
        Text("hiring"),
        ("hire", "tradesman", "tradesmen"),
        (
            Text("Hiring costs the card’s price and a citizen, from your supply unless you say otherwise:"),
            Text("use Miller with y5 hiring palace 3; or hiring influence, for 2 influence."),
            Text("Only the first two spaces of a card count at the end."),
        ),
    ),
    Statement(
        "T-5.20",
        Text("deferred cards"),
        ("deferred", "cubes", "hourglass", "using"),
        (
            Text(
                "A deferred card takes cubes now; each changes one later action: farm with y2 using Priest."
            ),
            Text("One cube for each action, never in the action that laid it, never against black dice."),
        ),
    ),
    Statement(
        "T-5.25",
        Text("cathedral"),
        ("build", "building the cathedral"),
        (
            Text("Each white die puts a cube on the lowest empty space of the column with its number."),
            Text("A cube gives 1 VP, and 1 influence in columns 1 to 3, 2 influence in columns 4 to 6."),
            Text("At the end each level without an own cube takes 2 VP away."),
        ),
    ),
    Statement(
        "T-5.31",
        Text("countering events"),
        ("counter", "banner", "banners"),
        (
            Text(
                "The value divided by the event’s number is how many cubes may go on its banners, 1 influence each."
            ),
            Text(
                "When the last banner is filled, the two with most cubes get its points, the first the card."
            ),
        ),
    ),
    Statement(
        "T-5.37",
        Text("Marauding"),
        (),
        (
            Text(
                "It is there from round 1 and stays: when it is full, points are paid and its banners are emptied."
            ),
        ),
    ),
    Statement(
        "T-5.39",
        Text("placing citizens"),
        ("place", "citizen", "citizens"),
        (
            Text("Exactly one die of the building’s colour brings a citizen into a main building."),
            Text(
                "Palace: onto the space with the die’s number. Other buildings: into its row from the left."
            ),
            Text(
                "The one who is pushed out lies there until the end of the round. New citizens give no die yet."
            ),
        ),
    ),
    Statement(
        "T-5.41", Text("Palace"), ("red", "military"), (Text("Six numbered spaces; red dice; wage 2."),)
    ),
    Statement(
        "T-5.43",
        Text("Bishopric"),
        ("white", "religious"),
        (Text("Three rows of two, for dice 1-2, 3-4 and 5-6; white dice; wage 1."),),
    ),
    Statement(
        "T-5.43",
        Text("City Hall"),
        ("yellow", "civil"),
        (Text("Two rows of three, for dice 1-3 and 4-6; yellow dice; no wages."),),
    ),
    Statement(
        "T-5.50",
        Text("agriculture"),
        ("farm", "farming"),
        (Text("Yellow dice give half their value in deniers, rounded down: farm with y5 y3."),),
    ),
    Statement(
        "T-5.51",
        Text("passing"),
        ("pass",),
        (
            Text("Passing puts 2 deniers into your district, and 1 more at each later turn of this round."),
            Text("They are yours at the end of the round. Your dice can still be bought."),
        ),
    ),
    Statement(
        "T-6",
        Text("influence"),
        ("reroll", "turn", "flip"),
        (
            Text("Before a fight or an action, as often as you like: 1 rolls an own die again,"),
            Text("2 bring a citizen into your supply, 4 turn up to three own dice over. The most is 20."),
        ),
    ),
    Statement(
        "T-7.1",
        Text("end of the round"),
        ("round",),
        (
            Text(
                "The actions end when all have passed or no dice are left. Then district money is collected,"
            ),
            Text("expelled citizens come home, and the start player moves one to the left."),
        ),
    ),
    Statement(
        "T-8.2",
        Text("final scoring"),
        ("end", "scoring", "end of the game"),
        (
            Text(
                "To the points gained come 1 VP for each event with an own cube, and the tradesmen’s figures."
            ),
            Text(
                "Each cathedral level without an own cube takes 2 VP away. Then all characters score for all."
            ),
        ),
    ),
    Statement(
        "T-8.4",
        Text("characters"),
        ("character", "award", "awards"),
        (
            Text("Each character held by anybody scores for everybody: 1, 3 or 6 VP by its thresholds."),
            Text("Characters not dealt stay out of the game."),
        ),
    ),
)
