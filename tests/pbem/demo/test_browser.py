"""The first five minutes: a visitor with a browser plays the demo's game from the invitation to its end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Chrome, ChromeOptions, ChromeService
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support import expected_conditions as seen
from selenium.webdriver.support.ui import WebDriverWait

from pbem.demo.robot import MENU, Options, options

CHROMIUM, DRIVER = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")
SWITCHES = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync --window-size=1200,900"
).split()
PATIENCE = 30
"""Seconds for each thing that is waited for; a machine may have other things to do."""
UNREAD = "a.message.unread"


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Chrome]:
    """A fresh Chromium; where there is none the test is skipped, but never in CI."""
    missing = [str(program) for program in (CHROMIUM, DRIVER) if not program.exists()]
    if missing and os.environ.get("PBEM_NO_SKIP") != "1":
        pytest.skip(f"{' and '.join(missing)} not found: install Debian's chromium and chromium-driver")
    assert not missing, "no test may be skipped here"
    chosen = ChromeOptions()
    chosen.binary_location = str(CHROMIUM)
    for switch in (*SWITCHES, f"--user-data-dir={tmp_path / 'chromium'}"):
        chosen.add_argument(switch)
    driver = Chrome(options=chosen, service=ChromeService(str(DRIVER)))
    yield driver
    driver.quit()


class Program:
    """`pbem demo` in a terminal of its own."""

    def __init__(self, folder: Path) -> None:
        self._said = folder / "terminal.txt"
        words = "demo --seats 2 --seed 4 --port 0 --smtp-port 0 --folder".split()
        with self._said.open("wb") as terminal:
            self.process = subprocess.Popen(
                [sys.executable, "-c", "from pbem.cli import main; main()", *words, str(folder / "demo")],
                stdout=terminal,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def said(self) -> str:
        return self._said.read_text(encoding="utf-8")

    def says(self, pattern: str) -> re.Match[str]:
        """Wait until the terminal shows something."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.process.poll() is None:
            if found := re.search(pattern, self.said):
                return found
            time.sleep(0.02)
        raise AssertionError(f"{pattern} is not on the terminal: {self.said}")

    def end(self) -> int:
        """SIGTERM; the exit status."""
        self.process.terminate()
        return self.process.wait(PATIENCE)

    @property
    def left_over(self) -> bool:
        """Whether a process that it started still runs."""
        try:
            os.killpg(self.process.pid, 0)
        except ProcessLookupError:
            return False
        return True


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    started = Program(tmp_path)
    yield started
    if started.left_over:
        os.killpg(started.process.pid, signal.SIGKILL)
    started.process.wait()


class Visitor:
    """Somebody who sees the inbox page and nothing else."""

    def __init__(self, browser: Chrome, inbox: str) -> None:
        self.browser = browser
        self.inbox = inbox
        self.answered = 0
        """The number of the newest question that was answered."""
        self.wait = WebDriverWait(browser, PATIENCE, 0.05, (StaleElementReferenceException,))

    def read(self) -> str:
        """Open the newest unread letter as soon as there is one, give its subject."""
        if self.browser.current_url.partition("?")[0] != self.inbox:
            self.browser.get(self.inbox)
        self.wait.until(lambda page: self._click(page.find_elements(By.CSS_SELECTOR, UNREAD)))
        return str(self.wait.until(seen.presence_of_element_located((By.ID, "subject"))).text)

    @staticmethod
    def _click(letters: list[WebElement]) -> bool:
        for letter in letters[:1]:  # the list is made anew when mail comes: then it is looked at again
            letter.click()
        return bool(letters)

    @property
    def text(self) -> str:
        return str(self.browser.find_element(By.ID, "text").get_property("textContent"))

    def answer(self, line: str) -> None:
        """Type into the Reply box and send."""
        self.browser.find_element(By.ID, "reply").send_keys(line)
        self.browser.find_element(By.ID, "send").click()
        notice = self.wait.until(seen.visibility_of_element_located((By.ID, "notice")))
        assert notice.text.startswith("Sent.")

    def question(self) -> Options:
        """Read on until something new is asked, or the game is over; gives what may be written."""
        while True:
            subject = self.read()
            if "The game is over" in subject:
                return {}
            menu = options(self.text)
            if menu and number(menu) > self.answered:
                return menu

    def reply(self, menu: Options, line: str) -> None:
        self.answered = number(menu)
        self.answer(line)


def number(menu: Options) -> int:
    """The digest that a menu's codes belong to."""
    return int(next(iter(menu)).partition(".")[0])


def choice(menu: Options) -> str:
    """What ends the game soon: passing, or else the first line that can be copied."""
    lines = [line for whole in menu.values() for line in whole]
    return "pass" if "pass" in lines else lines[0]


def test_a_visitor_plays_a_game_in_the_browser(browser: Chrome, program: Program) -> None:
    visitor = Visitor(browser, program.says(r"http://127\.0\.0\.1:\d+/people/ana@example\.org(?=\s)")[0])
    browser.get(re.sub(r"(:\d+/).*", r"\1", visitor.inbox))
    assert browser.current_url == visitor.inbox  # the page opens where the visitor's mail is

    assert "Troyes" in visitor.read()
    assert "join" in visitor.text
    visitor.answer("join")
    menu = visitor.question()
    reads_both_views(visitor, menu)

    visitor.answer("pallace 3")
    while "Not done: line 1" not in (subject := visitor.read()):
        assert "Not done" not in subject
    assert "pallace 3" in visitor.text
    assert re.search(r"^\s+palace \d$", visitor.text, re.MULTILINE), "the receipt names the right words"

    visitor.reply(menu, next(iter(menu)))
    while menu := visitor.question():
        visitor.reply(menu, choice(menu))

    assert re.search(r"^\d\. Ana: -?\d+", visitor.text, re.MULTILINE)
    assert "Thank you for playing" in visitor.text
    program.says("The game is over")
    assert program.end() == 0
    assert not program.left_over
    assert "Traceback" not in program.said


def reads_both_views(visitor: Visitor, menu: Options) -> None:
    """The letter as text and with pictures: the same question in both."""
    browser = visitor.browser
    assert MENU in visitor.text
    browser.find_element(By.CSS_SELECTOR, "label[for=as-html]").click()
    frame = visitor.wait.until(seen.visibility_of_element_located((By.ID, "html")))
    assert not browser.find_element(By.ID, "text").is_displayed()
    browser.switch_to.frame(frame)
    shown = visitor.wait.until(seen.visibility_of_element_located((By.CLASS_NAME, "mail"))).text
    assert all(code in shown for code in menu)
    browser.switch_to.default_content()
    browser.find_element(By.CSS_SELECTOR, "label[for=as-text]").click()
    visitor.wait.until(seen.visibility_of_element_located((By.ID, "text")))
