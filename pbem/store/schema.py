"""The tables of the one SQLite file, and how older files become newer ones."""

from __future__ import annotations

from sqlite_utils import Database, Migrations

from ..mail.headers import same_form

migrations = Migrations("pbem")


@migrations()
def first_tables(db: Database) -> None:
    """Everything the first release keeps."""
    for statement in _FIRST.split(";\n"):
        if statement.strip():
            db.execute(statement)


@migrations()
def people_and_addresses(db: Database) -> None:
    """Several addresses a person, several persons an address; proofs by code, letters that came back."""
    for statement in _PEOPLE.split(";\n"):
        if statement.strip():
            db.execute(statement)
    for row in list(db.query("select id, address, created from person")):
        db.execute(
            "insert into address (form, person, address, at) values (?, ?, ?, ?)",
            (same_form(row["address"]), row["id"], row["address"], row["created"]),
        )


@migrations()
def pictures(db: Database) -> None:
    """The boards that letters show, drawn when they go out."""
    db.execute("create table picture (name text primary key, svg blob not null) strict, without rowid")


@migrations()
def campaigns(db: Database) -> None:
    """Games that follow one another, and what each has left to the next."""
    for statement in _CAMPAIGNS.split(";\n"):
        if statement.strip():
            db.execute(statement)


@migrations()
def orders_by_message_id(db: Database) -> None:
    """Whether a mail comes again after a scanner has written into it is asked of each, among all that a person sent."""
    db.execute("create index inbox_orders on inbox (message_id) where reason = 'changed'")


@migrations()
def notes_by_seat(db: Database) -> None:
    """Each digest looks up the notes of its own seat, among those of all games."""
    db.execute("create index note_seat on note (game, seat, id)")


# Raw mails are the last column of their tables: SQLite would read past them to anything behind.
_FIRST = """
create table setting (name text primary key, value blob not null) strict;
create table person (
    id integer primary key, name text not null, address text not null collate nocase unique,
    language text not null default 'en', zone text not null default 'UTC',
    stopped integer not null default 0, created text not null) strict;
create table data (hash text primary key, content blob not null) strict;
create table game (
    id integer primary key, title text not null collate nocase unique, ruleset text not null,
    seats text not null, options text not null, data text references data(hash),
    seed blob not null, epoch integer not null default 0, revision integer not null default 0,
    state text not null check (state in ('inviting', 'playing', 'over', 'cancelled')),
    paused text, settings text not null, created text not null, started text, ended text) strict;
create table seat (
    game integer not null references game(id), name text not null, person integer references person(id),
    robot text, salt integer not null default 0, answered text not null default 'asked'
    check (answered in ('asked', 'joined', 'declined')), digests integer not null default 0,
    heard integer not null default 0, alarmed text, primary key (game, name)) strict, without rowid;
create table role (
    game integer not null references game(id), person integer not null references person(id),
    role text not null check (role in ('moderator', 'observer')), salt integer not null default 0,
    joined integer not null default 0, digests integer not null default 0, heard integer not null default 0,
    primary key (game, person, role)) strict, without rowid;
create table step (
    id integer primary key, game integer not null references game(id), n integer not null,
    saved blob not null, hash text not null, ruling integer not null, version text not null,
    position text not null, at text not null, void integer) strict;
create unique index step_place on step (game, n) where void is null;
create table answer (
    id integer primary key, game integer not null references game(id), step integer not null,
    branch text not null, ord integer not null, seat text not null, key text not null, pick text not null,
    by text not null, inbox integer, at text not null, void integer) strict;
create unique index answer_place on answer (game, step, branch, ord) where void is null;
create index answer_game on answer (game, id);
create index answer_valid on answer (game, id) where void is null;
create table fact (
    id integer primary key, game integer not null references game(id), step integer not null,
    ordinal integer not null, kind text not null, data text not null, answer integer not null,
    at text not null, void integer) strict;
create unique index fact_place on fact (game, step, ordinal) where void is null;
create index fact_game on fact (game, id);
create index fact_valid on fact (game, id) where void is null;
create table log (
    id integer primary key, game integer not null references game(id), at text not null, kind text not null,
    who text not null, data text not null, inbox integer) strict;
create index log_game on log (game);
create table question (
    id integer primary key, game integer not null references game(id), step integer not null,
    branch text not null, ord integer not null, seat text not null, key text not null, kind text not null,
    opened text not null, due text, reminded text, late text, closed text) strict;
create index question_open on question (game) where closed is null;
create index question_due on question (due) where closed is null;
create table digest (
    game integer not null references game(id), seat text not null, n integer not null,
    question integer references question(id), options text not null, at text not null,
    primary key (game, seat, n)) strict, without rowid;
create table inbox (
    id integer primary key, key text not null unique, hash text not null,
    message_id text not null, sender text not null, arrived text not null,
    state text not null check (state in ('claimed', 'applied', 'held', 'failed', 'aside')),
    kind text not null default '', reason text not null default '', tries integer not null default 0,
    game integer, person integer, settled integer not null default 0, at text not null,
    raw blob not null) strict;
create index inbox_waiting on inbox (state) where state = 'claimed';
create index inbox_unsettled on inbox (settled) where settled = 0;
create index inbox_hash on inbox (hash);
create table outbox (
    id integer primary key, message_id text not null unique, person integer, game integer, seat text,
    kind text not null, recipient text not null, sender text not null,
    state text not null check (state in ('queued', 'sent', 'failed', 'dropped')), tries integer not null default 0,
    not_before text not null, answer text not null default '', inbox integer, mark integer not null default 0,
    created text not null, sent text, raw blob not null) strict;
create index outbox_queued on outbox (not_before) where state = 'queued';
create index outbox_game on outbox (game, id);
create index outbox_person on outbox (person, kind, created);
create index outbox_recipient on outbox (recipient, kind, created);
create index outbox_mark on outbox (game, mark);
create table parked (
    id integer primary key, game integer not null references game(id), seat text not null, turn text not null,
    lines text not null, inbox integer, at text not null) strict;
create table note (
    id integer primary key, game integer not null references game(id), seat text not null, text text not null,
    at text not null) strict;
create table pending (
    id integer primary key, game integer not null references game(id), kind text not null, who text not null,
    data text not null, revision integer not null, at text not null) strict;
create trigger answers_are_kept before delete on answer begin select raise(abort, 'answers are kept'); end;
create trigger steps_are_kept before delete on step begin select raise(abort, 'checkpoints are kept'); end;
create trigger facts_are_kept before delete on fact begin select raise(abort, 'facts are kept'); end;
create trigger log_is_kept before delete on log begin select raise(abort, 'the log is kept'); end
"""

# The column `address` was unique: SQLite can drop that only with the table.
_PEOPLE = """
create table person_of_now (
    id integer primary key, name text not null, address text not null collate nocase,
    language text not null default 'en', zone text not null default 'UTC',
    stopped integer not null default 0, created text not null, unreachable text) strict;
insert into person_of_now select id, name, address, language, zone, stopped, created, null from person;
drop table person;
alter table person_of_now rename to person;
create table address (
    form text not null, person integer not null references person(id), address text not null, at text not null,
    primary key (form, person)) strict, without rowid;
create index address_person on address (person);
create table proof (
    id integer primary key, person integer not null references person(id), code text not null,
    kind text not null check (kind in ('mail', 'address', 'alias')), subject text not null,
    made text not null, expires text not null, used text) strict;
create index proof_person on proof (person, made);
create table failure (
    id integer primary key, person integer not null references person(id), at text not null,
    kind text not null check (kind in ('bounce', 'refused', 'complaint')), letter integer, inbox integer,
    status text not null default '') strict;
create index failure_person on failure (person, at);
create index inbox_person on inbox (person, at)
"""

_CAMPAIGNS = """
create table campaign (
    id integer primary key, title text not null collate nocase unique, ruleset text not null,
    created text not null) strict;
create table legacy (
    id integer primary key, campaign integer not null references campaign(id),
    game integer references game(id), at text not null, void integer, content blob not null) strict;
create index legacy_campaign on legacy (campaign, id);
create trigger legacies_are_kept before delete on legacy begin select raise(abort, 'legacies are kept'); end;
alter table game add column campaign integer references campaign(id);
alter table game add column legacy integer references legacy(id);
create index game_campaign on game (campaign)
"""
