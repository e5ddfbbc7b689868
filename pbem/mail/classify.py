"""What kind of mail came in: machines are told from people before anything else is read."""

from __future__ import annotations

import re
from enum import StrEnum

from pbem.mail.detectors import failures
from pbem.mail.headers import same_form
from pbem.mail.mime import Mail, children
from pbem.mail.tokens import Purpose, candidates, claimed
from pbem.mail.us import Us


class Kind(StrEnum):
    """Only `ORDERS` and `UNSUBSCRIBE` come from a person, and only they may ever be answered."""

    ORDERS = "orders"
    AUTO_REPLY = "auto-reply"
    """An absence note, a read receipt, a no-reply address: some machine of a person's."""
    BOUNCE = "bounce"
    """A delivery report that tells of a failure or a delay."""
    COMPLAINT = "complaint"
    """A reader's provider says that our mail was marked as spam."""
    LOOP = "loop"
    """Our own mail, come back."""
    UNSUBSCRIBE = "unsubscribe"
    LIST = "list"
    """Mail of a mailing list, or bulk mail."""


_DAEMONS = re.compile(r"^(mailer-?daemon|mail-?daemon|mdaemon|postmaster|mailerdaemon)([+._-]|@|$)", re.I)
_NO_REPLY = re.compile(r"^(no|do[._-]?not|never)[._-]?(reply|respond|answer)|^auto-?(reply|responder)", re.I)
_ABSENT = re.compile(
    r"^\W*(auto(matic|mated|matische|matisch|matiskt?|matisk|matyczna|matická|maattinen)?[ -]?"
    r"(re(ply|sponse|sponder)|answer|antwort(en)?|antwoord|svar|odpowied[zź]|odpověď|vastaus|response)\b"
    r"|out[ -]of[ -](the[ -])?office\b|\(?away from (my |the )?(office|mail)"
    r"|abwesenheit|abwesend\b|ich bin nicht im (haus|büro)|bin im urlaub"
    r"|r[ée]ponse automatique|absence du bureau|absent(e)? du bureau|message d['’]absence"
    r"|resposta autom[áa]tica|ausência tempor[áa]ria|aus[êe]ncia do escrit[óo]rio|fora do escrit[óo]rio"
    r"|respuesta autom[áa]tica|fuera de (la )?oficina|ausente de la oficina"
    r"|risposta automatica|fuori (sede|ufficio)|assente dall['’]ufficio"
    r"|afwezig(heid)?\b|niet aanwezig|fr[åa]nvaro|frånvarande|ikke til stede|fraværende|poissa toimistosta"
    r"|nieobecno[śs][ćc]|poza biurem|mimo kancel[áa][rř]"
    r"|автоматический ответ|автоответ|нет на месте|自動(応答|返信)|自动(回复|答复)|부재중)",
    re.I,
)
_AUTO_HEADERS = ("x-autoreply", "x-autorespond", "x-autoresponder", "x-autoreply-from", "x-mail-autoreply")
_OUR_ID = re.compile(r"^<?[a-z]+\.([a-z2-7]{36})\.", re.I)


def classify(raw: bytes | Mail, us: Us) -> Kind:
    """The kind of a mail, from its bytes or opened; never raises."""
    mail = raw if isinstance(raw, Mail) else Mail(raw)
    report = _report(mail)
    if report is not None:
        return report
    if _is_ours(mail, us):
        return Kind.LOOP
    if _is_daemon(mail):
        return Kind.BOUNCE
    if _asks_to_stop(mail, us):
        return Kind.UNSUBSCRIBE
    if _null_sender(mail):
        return Kind.BOUNCE if _odd_bounce(mail) else Kind.AUTO_REPLY
    if _is_automatic(mail):
        return Kind.AUTO_REPLY
    return Kind.LIST if _is_list(mail) else Kind.ORDERS


def is_absence(mail: Mail) -> bool:
    """True if an automatic reply tells that somebody is away: no read receipt, no report, no unread mailbox."""
    kinds = {p.get_content_type() for p in mail.parts} | _container_types(mail)
    if any(kind.startswith("message/") for kind in kinds) or _NO_REPLY.match(mail.sender.address):
        return False
    return _says_auto_reply(mail) or _is_automatic(mail)


def _report(mail: Mail) -> Kind | None:
    """The kind of a mail that declares itself a report (RFC 3462), None if it is none."""
    kinds = {p.get_content_type() for p in mail.parts} | _container_types(mail)
    if "message/feedback-report" in kinds:
        return Kind.COMPLAINT
    is_report = mail.message.get_content_type() == "multipart/report"
    if kinds & {"message/disposition-notification", "message/global-disposition-notification"}:
        return Kind.AUTO_REPLY
    if is_report and kinds & {"message/delivery-status", "message/global-delivery-status"}:
        return Kind.BOUNCE if _tells_of_trouble(mail) else Kind.AUTO_REPLY
    if mail.outlook_receipt:
        return Kind.AUTO_REPLY
    if is_report:
        return Kind.BOUNCE if _null_sender(mail) or _is_daemon(mail) else Kind.AUTO_REPLY
    return None


def _container_types(mail: Mail) -> set[str]:
    """Types of the direct parts: a delivery status is a container to the parser."""
    return {p.get_content_type() for p in children(mail.message)}


def _tells_of_trouble(mail: Mail) -> bool:
    """False for a report of success (delivered, relayed, expanded)."""
    actions = [str(p["action"]).strip().lower() for p in mail.parts if p["action"] is not None]
    return not actions or any(a in ("failed", "delayed") for a in actions)


def _is_ours(mail: Mail, us: Us) -> bool:
    if mail.has(us.loop_header):
        return True
    return same_form(mail.sender.address) == same_form(us.address) or _of_another_runner(mail)


def _of_another_runner(mail: Mail) -> bool:
    """True if answers shall go to an address with a token, or the id holds one: no person's program writes that."""
    boxes = (box.address.casefold().partition("@")[0] for box in mail.mailboxes("reply-to"))
    plus = (local.partition("+")[2] for local in boxes)
    return any(any(candidates(part)) for part in plus) or bool(_OUR_ID.match(mail.header("message-id")))


def _is_daemon(mail: Mail) -> bool:
    return bool(_DAEMONS.match(mail.sender.address)) and not _says_auto_reply(mail)


def _says_auto_reply(mail: Mail) -> bool:
    return bool(_ABSENT.match(mail.subject))


def _null_sender(mail: Mail) -> bool:
    return mail.has("return-path") and mail.header("return-path").replace(" ", "") in ("<>", "")


def _odd_bounce(mail: Mail) -> bool:
    """True if a null sender's mail has the form of some old mail server's bounce."""
    if _says_auto_reply(mail):
        return False
    return any(failures(mail.message))


def _asks_to_stop(mail: Mail, us: Us) -> bool:
    if any(
        _is_stop_address(box.address, us)
        for n in ("delivered-to", "x-original-to", "to")
        for box in mail.mailboxes(n)
    ):
        return True
    return mail.subject.casefold() == "unsubscribe" and mail.text.strip().casefold() in ("", "unsubscribe")


def _is_stop_address(address: str, us: Us) -> bool:
    """Our address with the word stop, or with a token that claims that purpose."""
    local, _, domain = address.casefold().rpartition("@")
    stop, _, _ = us.stop_address.casefold().rpartition("@")
    if domain != us.domain.casefold():
        return False
    if local == stop or local.startswith((stop + ".", stop + "+", stop + "-")):
        return True
    token = claimed(local.partition("+")[2])
    return token is not None and token.purpose is Purpose.STOP and any(candidates(local))


def _is_automatic(mail: Mail) -> bool:
    """RFC 3834, its forerunners, absence notes that only the subject betrays, and no-reply addresses."""
    auto = mail.header("auto-submitted").partition(";")[0].strip().lower()
    if auto not in ("", "no"):
        return True
    if any(mail.header(h).strip().lower() not in ("", "no") for h in _AUTO_HEADERS):
        return True
    if mail.header("precedence").strip().lower() in ("auto_reply", "auto-reply"):
        return True
    return _says_auto_reply(mail) or bool(_NO_REPLY.match(mail.sender.address))


def _is_list(mail: Mail) -> bool:
    bulk = mail.header("precedence").strip().lower() in ("bulk", "junk", "list")
    return bulk or mail.has("list-id") or mail.has("list-post")
