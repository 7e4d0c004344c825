"""Reminders: a text per person who has not finished, to copy or to send by SMTP; addresses stay outside the study."""

import csv
import os
import smtplib
import ssl
from collections.abc import Callable, Mapping, Sequence
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import urlsplit

from percuss.core.errors import BadInput, RunError, UsageError
from percuss.core.records import Record
from percuss.study.lifecycle import JUDGING, state_of
from percuss.study.links import links
from percuss.study.portal.words import Words, language_of, words_of
from percuss.study.store import ledger, work
from percuss.study.store.people import Person, everybody, language_chosen
from percuss.study.store.work import Progress
from percuss.study.study import Study

__all__ = ["Reminder", "read_addresses", "reminders", "send"]

LOOPBACK = ("127.0.0.1", "localhost", "::1")
USER_ENV, PASSWORD_ENV = "PERCUSS_SMTP_USER", "PERCUSS_SMTP_PASSWORD"
WAIT_S = 30.0  # seconds that a mail server may take to answer


class Reminder(Record):
    """A text for one person in their language; `left` items are not answered yet. The subject names no person."""

    code: str
    left: int
    subject: str
    text: str
    language: str


def reminders(
    study: Study, address: str, *, words: Callable[[str], Words] = words_of
) -> tuple[Reminder, ...]:
    """Return a reminder for every rater who has items left, invited ones who never came included.

    Each is in the language that the person chose, else in the study's.

    Args:
        study: pilot or open; in any other state nobody can judge, and nobody is reminded.
        address: under which people reach the study, without a slash at the end.
        words: gives the words of a language.
    """
    waiting = dict(links(study, address))
    with study.database.read() as connection:
        if state_of(connection) not in JUDGING:
            return ()
        far = work.progress_of_all(connection)
        raters = [one for one in everybody(connection) if one.role == "rater" and not one.left]
        chosen = {one.code: language_chosen(connection, one.code) for one in raters}
    found = []
    for rater in raters:
        progress = far.get(rater.code)
        if progress and progress.total > progress.done:
            language = language_of(chosen[rater.code], otherwise=language_of(study.settings.language))
            link = waiting.get(rater.code, f"{address}/")
            found.append(_reminder(study, rater, progress, link, words(language)))
    return tuple(found)


def _reminder(study: Study, rater: Person, progress: Progress, link: str, t: Words) -> Reminder:
    left, told = progress.total - progress.done, study.settings
    title = told.title or t.plain(study.design.title)
    minutes = max(1, round(left * study.design.minutes))
    waiting = t.plain(
        "In the study “{title}” there is something left for you to judge: {left} of {total} items, about {minutes} minute."
        if minutes == 1
        else "In the study “{title}” there is something left for you to judge: {left} of {total} items, about {minutes} minutes.",
        title=title,
        left=left,
        total=progress.total,
        minutes=minutes,
    )
    kept = t.plain(
        "Everything that you have answered is kept; you go on where you stopped:"
        if progress.done
        else "You begin here:"
    )
    end = t.plain("You may stop at any time.")
    if told.contact:
        end += " " + t.plain("Questions: {contact}", contact=told.contact)
    dear = t.plain("Dear {name},", name=rater.name) if rater.name else t.plain("Hello,")
    text = f"{dear}\n\n{waiting}\n{kept}\n\n{link}\n\n{end}\n{told.asker}"
    subject = t.plain(
        "{n} item left: {title}" if left == 1 else "{n} items left: {title}", title=title, n=left
    )
    body = text.rstrip() + "\n"
    return Reminder(code=rater.code, left=left, subject=subject, text=body, language=t.language)


def read_addresses(path: Path) -> dict[str, str]:
    """Read code -> mail address from a CSV with the columns `code` and `address`; it belongs outside the study's folder.

    Raises:
        UsageError: no such file.
        BadInput: other columns, or what is no address.
    """
    if not path.is_file():
        raise UsageError(f"--addresses {path}: no such file; give a CSV with the columns code and address")
    found = {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            code, address = (row.get("code") or "").strip(), (row.get("address") or "").strip()
            if not code or "@" not in address or any(c in address for c in "\r\n ,;"):
                raise BadInput(f"got {dict(row)}; each row needs a code and a mail address", source=path.name)
            found[code] = address
    return found


def send(
    study: Study, listed: Sequence[Reminder], addresses: Mapping[str, str], *, server: str, sender: str
) -> tuple[str, ...]:
    """Send reminders by SMTP and return the codes they went to; the ledger notes codes, never addresses.

    Args:
        study: whose people are reminded. listed: of `reminders`. addresses: code -> address; who has none gets none.
        server: `smtp://host:port` (STARTTLS where it is offered; a password is sent only so, or to loopback) or `smtps://`.
        sender: address that it comes from.

    Raises:
        UsageError: not an address of a mail server.
        RunError: the server can't be reached or refuses.
    """
    parts = urlsplit(server)
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise UsageError(f"--smtp {server!r} is no mail server; give smtp://host:port or smtps://host")
    wanted = [one for one in listed if one.code in addresses]
    secure = ssl.create_default_context()
    try:
        if parts.scheme == "smtps":
            mail: smtplib.SMTP = smtplib.SMTP_SSL(
                parts.hostname, parts.port or 465, timeout=WAIT_S, context=secure
            )
        else:
            mail = smtplib.SMTP(parts.hostname, parts.port or 25, timeout=WAIT_S)
        with mail:
            mail.ehlo()
            if parts.scheme == "smtp" and mail.has_extn("starttls"):
                mail.starttls(context=secure)
                mail.ehlo()
            _log_in(
                mail, parts.hostname, secret=parts.scheme == "smtps" or isinstance(mail.sock, ssl.SSLSocket)
            )
            for one in wanted:
                mail.send_message(_message(one, sender, addresses[one.code]))
    except (OSError, smtplib.SMTPException) as error:
        raise RunError(
            f"{server} did not take the reminders ({type(error).__name__}); copy the texts instead"
        ) from error
    codes = tuple(one.code for one in wanted)
    study.database.write(
        lambda c: ledger.append(c, "system", "reminded", study.settings.name, {"codes": list(codes)})
    )
    return codes


def _log_in(mail: smtplib.SMTP, host: str, *, secret: bool) -> None:
    user, password = os.environ.get(USER_ENV, ""), os.environ.get(PASSWORD_ENV, "")
    if not user:
        return
    if not secret and host not in LOOPBACK:
        raise RunError(
            f"{host} offers no STARTTLS, so the password of {user} would go in the open; use smtps://"
        )
    mail.login(user, password)


def _message(reminder: Reminder, sender: str, address: str) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, address, reminder.subject
    message.set_content(reminder.text)
    return message
