"""Four people's ways of answering a letter of ours, each as their mail program makes it of what they type.

ana answers below the quotation in plain text, ben above it in HTML alone, carla inside the form, dora above a
whole copy under Outlook's header block. The language of their programs, and which of a few programs of a kind
it is, changes from mail to mail.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime

from pbem.postoffice import letters
from pbem.postoffice.letters import Letter

from .tongues import TONGUES, Tongue, filled

THOUGHT = timedelta(minutes=5)
FLOW = 72
"""Where programs that flow their text end a line."""
_BODY = re.compile(r"<body[^>]*>(.*)</body>", re.S)
_OPEN_FORM = re.compile(r"^(> ?)?BEGIN ORDERS \d+\n", re.M)
_OPEN_HTML_FORM = re.compile(r"(<p[^>]*>BEGIN ORDERS \d+</p>)<p[^>]*>&nbsp;</p>")
_LINE_ENDS = re.compile(r"<br ?/?>|</(?:p|tr|div|h\d|li|ul|table)>")
_MSO_HEAD = (
    '<meta http-equiv="Content-Type" content="text/html; charset={charset}">'
    '<meta name="Generator" content="Microsoft Word 15 (filtered medium)">'
    '<!--[if gte mso 9]><xml><o:shapedefaults v:ext="edit" spidmax="1026" /></xml><![endif]-->'
    "<style><!-- p.MsoNormal, li.MsoNormal {{margin:0cm; font-size:11.0pt;}} --></style>"
)


@dataclass(frozen=True, slots=True)
class Writing:
    """Somebody about to answer a letter."""

    name: str
    address: str
    letter: Letter
    line: str
    """The order, or whatever they think one is."""
    turn: int
    """How many mails they have written before; language and program hang on it."""

    @property
    def tongue(self) -> Tongue:
        """The language of the program for this mail."""
        return TONGUES[self.turn % len(TONGUES)]

    @property
    def program(self) -> int:
        """Which of the programs of its style; every language meets every program."""
        return self.turn // len(TONGUES) % PROGRAMS[self.name]

    @property
    def style(self) -> str:
        """Style and program in a word, the same for mails that look the same."""
        return f"{self.name} {self.program}"

    def attribution(self, template: str) -> str:
        """The line above a quotation."""
        name, address = self.letter.addresses("From")[0]
        return filled(template, self.tongue, self.letter.date or datetime.now(UTC), name, address)

    def block(self) -> list[tuple[str, str]]:
        """Outlook's four lines above a copy: each label, and what it says."""
        tongue = self.tongue
        sent = self.attribution(tongue.sent)
        name, address = self.letter.addresses("From")[0]
        said = (f"{name} <{address}>", sent, f"{self.name} <{self.address}>", self.letter.header("Subject"))
        return list(zip(tongue.labels, said, strict=True))

    def hello(self) -> str:
        """A greeting; none in every second mail."""
        greetings = self.tongue.hello
        return "" if self.turn % 2 else greetings[self.turn // 2 % len(greetings)]

    def bye(self) -> str:
        """A close, with the name below."""
        closes = self.tongue.bye
        return f"{closes[self.turn % len(closes)]}\n{self.name}"

    def phone(self) -> str:
        """What a phone adds."""
        return self.tongue.phones[self.turn % len(self.tongue.phones)]


Style = Callable[[Writing, EmailMessage], None]
"""Puts the body into a mail that has its headers."""


def mail(writing: Writing, number: int) -> EmailMessage:
    """The answer, all of it made of the letter, the line and the numbers: the same again is the same mail."""
    letter = writing.letter
    message = EmailMessage(policy=letters.WRITING)
    prefixes = writing.tongue.prefixes
    message["From"] = f"{writing.name} <{writing.address}>"
    message["To"] = letter.header("Reply-To")
    message["Subject"] = prefixes[writing.turn % len(prefixes)] + letter.header("Subject")
    message["Date"] = format_datetime((letter.date or datetime.now(UTC)) + THOUGHT)
    message["Message-ID"] = f"<{number}.{writing.address}>"
    message["In-Reply-To"] = letter.header("Message-ID")
    message["References"] = f"{letter.header('References')} {letter.header('Message-ID')}".strip()
    STYLES[writing.name](writing, message)
    if message.is_multipart():
        message.set_boundary(f"=_{number}.{writing.name}")
    return message


# ana: below the quotation, plain text


def bottom(writing: Writing, message: EmailMessage) -> None:
    """Thunderbird: attribution, quotation, answer, signature; every second program lets its lines flow."""
    program = writing.program
    quoted = letters.quoted(writing.letter.text)
    if program == 3:  # a remark where it belongs, the order at the end
        head, _, rest = quoted.partition(">\n")
        quoted = f"{head}>\n\n{writing.tongue.remark}\n\n{rest}"
    said = "\n\n".join(part for part in (writing.hello(), writing.line) if part)
    signature = f"-- \n{writing.name}\npass the salt, please"
    text = f"{writing.attribution(writing.tongue.thunderbird)}\n{quoted}\n{said}\n\n{signature}\n"
    if program in (1, 2):
        text = flowed(text, delsp=program == 2)
    message["User-Agent"] = "Mozilla Thunderbird"
    plain(message, text, "cp1252" if program == 3 else "utf-8", "base64" if program == 0 else "8bit")
    if program in (1, 2):
        message.set_param("format", "flowed")
    if program == 2:
        message.set_param("delsp", "yes")


def flowed(text: str, *, delsp: bool = False) -> str:
    """Lines as RFC 3676 writes them: long ones end in a blank and go on, quoted ones are left as they are."""
    out: list[str] = []
    for line in text.split("\n"):
        if line.startswith(">") or line == "-- ":
            out.append(line)
            continue
        words, now = line.rstrip().split(" "), ""
        for word in words:
            if now and len(now) + len(word) > FLOW:
                out.append(stuffed(now) + ("  " if delsp else " "))
                now = word
            else:
                now = f"{now} {word}" if now else word
        out.append(stuffed(now))
    return "\n".join(out)


def stuffed(line: str) -> str:
    """A line with the blank before it that keeps it from looking like a quotation."""
    return f" {line}" if line.startswith((" ", ">", "From ")) else line


# ben: above the quotation, HTML alone


def top(writing: Writing, message: EmailMessage) -> None:
    """Gmail, Apple Mail, Yahoo, Proton or a free mailer, none of which sends a text part here."""
    said = [writing.hello(), writing.line, "", *writing.bye().split("\n")]
    program = (gmail, apple, yahoo, proton, freemail)[writing.program]
    page(message, program(writing, [line for line in said if line or writing.hello()]))


def gmail(writing: Writing, said: list[str]) -> str:
    """Lines in divs, the quotation in a blockquote under its attribution."""
    attribution = html.escape(writing.attribution(writing.tongue.gmail))
    return (
        f'<div dir="ltr">{divs(said)}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">{attribution}<br></div>'
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid '
        f'rgb(204,204,204);padding-left:1ex">{inner(writing.letter)}</blockquote></div>'
    )


def apple(writing: Writing, said: list[str]) -> str:
    """The attribution in a quotation of its own; the phone speaks between."""
    attribution = html.escape(writing.attribution(writing.tongue.apple))
    first, *others = said
    return (
        f'<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head>'
        f'<body dir="auto">{html.escape(first)}{divs(others)}<br id="lineBreakAtBeginningOfSignature">'
        f'<div dir="ltr">{html.escape(writing.phone())}</div><div dir="ltr"><br>'
        f'<blockquote type="cite">{attribution}<br><br></blockquote></div>'
        f'<blockquote type="cite"><div dir="ltr">\ufeff{inner(writing.letter)}</div></blockquote></body></html>'
    )


def yahoo(writing: Writing, said: list[str]) -> str:
    """No blockquote at all, only a box of another class."""
    attribution = html.escape(writing.attribution(writing.tongue.gmail))
    return (
        f'<html><head></head><body><div class="ydp1yahoo-style-wrap">{divs(said)}</div>'
        f'<div id="yahoo_quoted_{writing.turn}" class="yahoo_quoted"><div><div>{attribution}</div>'
        f"<div><br></div><div>{inner(writing.letter)}</div></div></div></body></html>"
    )


def proton(writing: Writing, said: list[str]) -> str:
    """The attribution and the blockquote in one box."""
    attribution = html.escape(writing.attribution(writing.tongue.gmail))
    return (
        f'<div style="font-family: Arial, sans-serif; font-size: 14px;">{divs(said)}</div>'
        f'<div class="protonmail_signature_block">{html.escape(writing.phone())}</div>'
        f'<div class="protonmail_quote">{attribution}<br>'
        f'<blockquote class="protonmail_quote" type="cite">{inner(writing.letter)}</blockquote><br></div>'
    )


def freemail(writing: Writing, said: list[str]) -> str:
    """A header block in bold inside a box with a line at its left."""
    block = "".join(f"<div><b>{html.escape(a)}</b>{html.escape(b)}</div>" for a, b in writing.block())
    return (
        f'<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;">{divs(said)}'
        f"<div>{html.escape(writing.phone())}</div><div>&nbsp;"
        f'<div name="quote" style="margin:10px 5px 5px 10px; border-left:2px solid #C3D9E5;">'
        f'<div style="margin:0 0 10px 0;">{block}</div><div name="quoted-content">{inner(writing.letter)}'
        "</div></div></div></div></body></html>"
    )


# carla: inside the form


def inside(writing: Writing, message: EmailMessage) -> None:
    """The line typed between our two marker lines: quoted or not, in text or HTML, or both."""
    tongue, letter = writing.tongue, writing.letter
    program = writing.program
    quoted = f"{writing.attribution(tongue.thunderbird)}\n\n{letters.quoted(letter.text)}"
    if not _OPEN_FORM.search(letter.text):  # a receipt that asks nothing has none
        plain(message, f"{writing.line}\n\n{quoted}", "utf-8", "8bit")
    elif program == 0:
        plain(message, formed(quoted, writing.line), "utf-8", "quoted-printable")
    elif program == 1:
        plain(message, formed(quoted, f"> {writing.line}"), "utf-8", "8bit")
    elif program == 2:
        page(message, formed_html(gmail(writing, [writing.tongue.hello[0]]), writing.line))
    elif program == 3:
        block = "\n".join(label + said for label, said in writing.block())
        plain(message, formed(f"\n{block}\n\n{letter.text}", writing.line), "utf-8", "base64")
    elif program == 4:
        page(message, formed_html(outlook(writing, "", "utf-8"), writing.line))
    else:
        plain(message, formed(quoted, f"\n{writing.line}\n"), "utf-8", "quoted-printable")
        filled_in = formed_html(gmail(writing, [""]), writing.line)
        message.add_alternative(filled_in, subtype="html", cte="quoted-printable")


def formed(text: str, line: str) -> str:
    """A text with a line in its form."""
    return _OPEN_FORM.sub(lambda found: f"{found[0]}{line}\n", text, count=1)


def formed_html(text: str, line: str) -> str:
    """HTML with a line in its form, in place of the blank one."""
    return _OPEN_HTML_FORM.sub(lambda found: f"{found[1]}<p>{html.escape(line)}</p>", text, count=1)


# dora: above a copy of the whole letter


def copied(writing: Writing, message: EmailMessage) -> None:
    """Outlook: the answer, the header block, the letter again without any mark; text and Word's HTML."""
    program = writing.program
    charset = "utf-8" if program == 2 else "cp1252"
    said = "\n\n".join(part for part in (writing.hello(), writing.line, writing.bye()) if part)
    block = "\n".join(label + told for label, told in writing.block())
    original = flat(writing.letter.html) if program == 1 else writing.letter.text
    above = {2: f"{writing.tongue.rule}\n", 3: "_" * 32 + "\n"}.get(program, "")
    message["X-Mailer"] = "Microsoft Outlook 16.0"
    plain(message, f"{said}\n\n{above}{block}\n\n{original}", charset, "quoted-printable")
    word = outlook(writing, said, charset)
    message.add_alternative(word, subtype="html", charset=charset, cte="quoted-printable")


def outlook(writing: Writing, said: str, charset: str) -> str:
    """Word's HTML: every line a paragraph of class MsoNormal, a ruled box with the header block, the copy."""
    lines = "".join(
        f'<p class="MsoNormal">{html.escape(x) or "&nbsp;"}<o:p></o:p></p>' for x in said.split("\n")
    )
    block = "<br>".join(f"<b>{html.escape(a)}</b>{html.escape(b)}" for a, b in writing.block())
    return (
        '<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">'
        f'<head>{_MSO_HEAD.format(charset=charset)}</head><body lang="{writing.tongue.code.upper()}" '
        f'link="#0563C1"><div class="WordSection1">{lines}'
        '<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
        f'<p class="MsoNormal">{block}<o:p></o:p></p></div></div><p class="MsoNormal"><o:p>&nbsp;</o:p></p>'
        f"{inner(writing.letter)}</div></body></html>"
    )


def flat(page: str) -> str:
    """The text that a program makes of HTML by itself: cells after tabs, no table any more."""
    text = re.sub(r"</t[dh]>\s*", "\t", inner_of(page))
    text = re.sub(r"<[^>]*>", "", _LINE_ENDS.sub("\n", text))
    return re.sub(r"\n{3,}", "\n\n", html.unescape(text)).strip() + "\n"


# parts


def inner(letter: Letter) -> str:
    """A letter's HTML as it stands inside another page."""
    return inner_of(letter.html)


def inner_of(page: str) -> str:
    """What stands between `<body>` and its end."""
    found = _BODY.search(page)
    return found[1].strip() if found else page


def divs(lines: list[str]) -> str:
    """One box a line, as editors make them of Enter."""
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in lines)


def plain(message: EmailMessage, text: str, charset: str, cte: str) -> None:
    """The text part, in another charset only if that can say it all."""
    try:
        text.encode(charset)
    except UnicodeEncodeError:
        charset = "utf-8"
    message.set_content(text, charset=charset, cte=cte)


def page(message: EmailMessage, text: str) -> None:
    """HTML as the only part."""
    message.set_content(text, subtype="html", charset="utf-8", cte="quoted-printable")


STYLES: Mapping[str, Style] = {"Ana": bottom, "Ben": top, "Carla": inside, "Dora": copied}
PROGRAMS: Mapping[str, int] = {"Ana": 4, "Ben": 5, "Carla": 6, "Dora": 4}
