"""The pictures in docs/, made anew: `python -m tests.pictures`.

Letters as a mail program shows them, the board in them, and the inbox page of the demo. It takes Chromium.
"""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from selenium.webdriver import Chrome, ChromeOptions, ChromeService
from selenium.webdriver.common.by import By

from pbem.demo.robot import choose, options
from pbem.pictures import complete
from pbem.postoffice import letters

from .pbem.demo.test_browser import CHROMIUM, DRIVER, SWITCHES, Program, Visitor, choice
from .pbem.table import Letter, PbemTable
from .pbem.test_oath_letters import digest, first_turns, receipt

DOCS = Path(__file__).resolve().parent.parent / "docs"
WIDE, PAGE = 700, (1100, 820)
"""In pixels: a letter, which is shown as long as it is, and the inbox page."""
LUCK = 6
"""Of those who play Troyes."""


@contextmanager
def chromium(folder: Path) -> Iterator[Chrome]:
    """A browser that nobody sees."""
    chosen = ChromeOptions()
    chosen.binary_location = str(CHROMIUM)
    for switch in (*SWITCHES, "--hide-scrollbars", f"--user-data-dir={folder / 'chromium'}"):
        chosen.add_argument(switch)
    browser = Chrome(options=chosen, service=ChromeService(str(DRIVER)))
    try:
        yield browser
    finally:
        browser.quit()


def show(browser: Chrome, wide: int, high: int) -> None:
    """A window of this size."""
    size = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def shoot(browser: Chrome, name: str) -> None:
    """What the window shows becomes a picture of the documents."""
    taken = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    (DOCS / name).write_bytes(base64.b64decode(taken["data"]))
    print(f"docs/{name}")


def page(table: PbemTable, letter: Letter) -> str:
    """A letter's HTML with its pictures in their places."""
    read = letters.parse(complete(table.app.writer.pictures, letter.raw))
    html = read.html
    for part in read.parts:
        data = base64.b64encode(part.data).decode()
        html = html.replace(f"cid:{part.cid}", f"data:{part.kind};base64,{data}")
    return html


def letter(browser: Chrome, folder: Path, html: str, name: str) -> None:
    """A letter from its top to its foot."""
    file = folder / "letter.html"
    file.write_text(html, encoding="utf-8")
    browser.get(file.as_uri())
    show(browser, WIDE, 100)
    show(browser, WIDE, browser.execute_script("return document.documentElement.scrollHeight"))
    shoot(browser, name)


def third_round(folder: Path) -> PbemTable:
    """A table of Troyes, as robots play it, when Ana is asked for her first action of round 3."""
    table = PbemTable(folder)
    table.begun("Ana", "Ben", "Carla", moderators=["Dora"], seed=bytes(32))
    luck = Random(LUCK)
    while not _first_action(table.last("Ana")):
        who = table.asked()[0]
        menu = next(menu for one in reversed(table.letters(who)) if (menu := options(one.text)))
        table.writes(who, choose(menu, set(), luck))
    return table


def _first_action(letter: Letter) -> bool:
    return letter.kind == "digest" and "Your turn, round 3" in letter.subject and "actions" in letter.subject


def inbox(browser: Chrome, folder: Path) -> None:
    """The demo's page: Ana's first turn, and what she is about to answer."""
    program = Program(folder)
    try:
        address = program.says(r"http://127\.0\.0\.1:\d+/people/ana@example\.org(?=\s)")[0]
        visitor = Visitor(browser, address)
        show(browser, *PAGE)
        visitor.read()
        visitor.answer("join")
        while (line := choice(menu := visitor.question())) != "pass":
            visitor.reply(menu, line)
        browser.find_element(By.ID, "reply").send_keys(line)
        shoot(browser, "inbox.png")
    finally:
        program.end()


def main() -> None:
    """All four."""
    missing = [str(program) for program in (CHROMIUM, DRIVER) if not program.exists()]
    if missing:
        print(f"{' and '.join(missing)} not found: install Debian's chromium and chromium-driver")
        return
    with tempfile.TemporaryDirectory() as name, chromium(Path(name)) as browser:
        folder = Path(name)
        for part in ("troyes", "oath", "demo"):
            (folder / part).mkdir()
        table = third_round(folder / "troyes")
        letter(browser, folder, page(table, table.last("Ana")), "digest.png")
        table = first_turns(folder / "oath")
        letter(browser, folder, page(table, digest(table)), "oath-digest.png")
        letter(browser, folder, page(table, receipt(table)), "oath-receipt.png")
        inbox(browser, folder / "demo")


if __name__ == "__main__":
    main()
