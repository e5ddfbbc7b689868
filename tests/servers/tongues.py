"""What mail programs write by themselves around an answer, in four languages: attributions, labels, dates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Tongue:
    """The words of a mail program, and of its owner's habits, in one language."""

    code: str
    days: tuple[str, ...]
    """Long and short, Monday first; months likewise."""
    short_days: tuple[str, ...]
    months: tuple[str, ...]
    short_months: tuple[str, ...]
    thunderbird: str
    """Attributions, with the fields of `filled`."""
    gmail: str
    apple: str
    labels: tuple[str, str, str, str]
    """Outlook's header block: from, sent, to, subject; each with what stands behind it."""
    sent: str
    """Outlook's form of a date."""
    rule: str
    """The line that older programs draw above the block."""
    prefixes: tuple[str, ...]
    """What stands before the subject of an answer."""
    phones: tuple[str, ...]
    """What a phone writes below every mail."""
    hello: tuple[str, ...]
    bye: tuple[str, ...]
    remark: str
    """A sentence of prose about the game."""


ENGLISH = Tongue(
    code="en",
    days=tuple("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()),
    short_days=tuple("Mon Tue Wed Thu Fri Sat Sun".split()),
    months=tuple(
        "January February March April May June July August September October November December".split()
    ),
    short_months=tuple("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()),
    thunderbird="On {dd}/{mm}/{yyyy} {H}:{M}, {name} wrote:",
    gmail="On {wd}, {d} {mon} {yyyy} at {H}:{M}, {name} <{address}> wrote:",
    apple="On {d} {mon} {yyyy}, at {H}:{M}, {name} <{address}> wrote:",
    labels=("From: ", "Sent: ", "To: ", "Subject: "),
    sent="{wday}, {month} {d}, {yyyy} {h12}:{M} {ampm}",
    rule="-----Original Message-----",
    prefixes=("Re: ", "RE: ", "SV: "),
    phones=("Sent from my phone", "Sent from my iPhone", "Get Outlook for Android"),
    hello=("Hi all,", "Hello,", "Here we go."),
    bye=("Cheers", "Best regards", "Good luck all,"),
    remark="Ouch, and this after that bad roll of mine!",
)
PORTUGUESE = Tongue(
    code="pt",
    days=tuple("segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo".split()),
    short_days=tuple("seg. ter. qua. qui. sex. sáb. dom.".split()),
    months=tuple(
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split()
    ),
    short_months=tuple("jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez.".split()),
    thunderbird="Em {dd}/{mm}/{yyyy} {H}:{M}, {name} escreveu:",
    gmail="Em {wd}, {d} de {mon} de {yyyy} às {H}:{M}, {name} <{address}> escreveu:",
    apple="No dia {dd}/{mm}/{yyyy}, às {H}:{M}, {name} <{address}> escreveu:",
    labels=("De: ", "Enviada em: ", "Para: ", "Assunto: "),
    sent="{wday}, {d} de {month} de {yyyy} {H}:{M}",
    rule="-----Mensagem original-----",
    prefixes=("RES: ", "Re: "),
    phones=("Enviado do meu telemóvel", "Enviado do meu iPhone", "Obter o Outlook para Android"),
    hello=("Olá,", "Bom dia!", "Aqui vai."),
    bye=("Abraços,", "Cumprimentos,", "Atenciosamente,"),
    remark="Que azar nos dados, e logo nesta rodada!",
)
GERMAN = Tongue(
    code="de",
    days=tuple("Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split()),
    short_days=tuple("Mo. Di. Mi. Do. Fr. Sa. So.".split()),
    months=tuple(
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
    ),
    short_months=tuple("Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.".split()),
    thunderbird="Am {dd}.{mm}.{yy} um {H}:{M} schrieb {name}:",
    gmail="Am {wd}, {d}. {mon} {yyyy} um {H}:{M} Uhr schrieb {name} <{address}>:",
    apple="Am {dd}.{mm}.{yyyy} um {H}:{M} schrieb {name} <{address}>:",
    labels=("Von: ", "Gesendet: ", "An: ", "Betreff: "),
    sent="{wday}, {d}. {month} {yyyy} {H}:{M}",
    rule="-----Ursprüngliche Nachricht-----",
    prefixes=("AW: ", "Aw: "),
    phones=(
        "Von meinem iPhone gesendet",
        "Diese Nachricht wurde von meinem Android-Gerät mit GMX Mail gesendet.",
        "Outlook für Android beziehen",
    ),
    hello=("Hallo zusammen,", "Moin,", "So, weiter geht es."),
    bye=("Viele Grüße", "Mit freundlichen Grüßen", "Gruß,"),
    remark="Halt, das war anders gedacht, aber bitte.",
)
FRENCH = Tongue(
    code="fr",
    days=tuple("lundi mardi mercredi jeudi vendredi samedi dimanche".split()),
    short_days=tuple("lun. mar. mer. jeu. ven. sam. dim.".split()),
    months=tuple(
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split()
    ),
    short_months=tuple("janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.".split()),
    thunderbird="Le {dd}/{mm}/{yyyy} à {H}:{M}, {name} a écrit\u00a0:",
    gmail="Le {wd} {d} {mon} {yyyy} à {H}:{M}, {name} <{address}> a écrit\u00a0:",
    apple="Le {d} {mon} {yyyy} à {H}:{M}, {name} <{address}> a écrit :",
    labels=("De : ", "Envoyé : ", "À : ", "Objet : "),
    sent="{wday} {d} {month} {yyyy} {H}:{M}",
    rule="-----Message d’origine-----",
    prefixes=("RE : ", "Rép : ", "RE: "),
    phones=("Envoyé de mon iPad", "Envoyé de mon téléphone", "Télécharger Outlook pour Android"),
    hello=("Bonjour à tous,", "Salut,", "Voici mon coup."),
    bye=("Cordialement", "À bientôt,", "Amitiés"),
    remark="Aïe, quelle malchance aux dés !",
)
TONGUES = (ENGLISH, PORTUGUESE, GERMAN, FRENCH)


def filled(template: str, tongue: Tongue, when: datetime, name: str, address: str) -> str:
    """A template of attribution or date with its fields filled in."""
    return template.format(
        wday=tongue.days[when.weekday()],
        wd=tongue.short_days[when.weekday()],
        month=tongue.months[when.month - 1],
        mon=tongue.short_months[when.month - 1],
        d=when.day,
        dd=f"{when.day:02}",
        mm=f"{when.month:02}",
        yy=f"{when.year % 100:02}",
        yyyy=when.year,
        H=f"{when.hour:02}",
        M=f"{when.minute:02}",
        h12=when.hour % 12 or 12,
        ampm="AM" if when.hour < 12 else "PM",
        name=name,
        address=address,
    )
