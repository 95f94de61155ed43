"""Rehearse the production set-up on this machine: enter hands, kill, back up, restore.

Reads deploy/compose.yaml and starts the commands that stand in it as processes of this machine,
on loopback and in a temporary folder: two web servers, two workers, two relays, the backups, and
PostgreSQL, Redis or Valkey and Caddy from the packages of Debian (postgresql, redis-server, caddy).
Then it makes a club by the documented first steps, enters hands over https, kills each part with
kill -9 while hands are entered, backs up, loses the machine, restores, and goes on entering. Every
acknowledged hand must be there once, the ledger must be balanced, and standings must be right.
Ends with "ok" (exit status 0) or with what failed (1); 2 where a package is missing. Takes about
two minutes, and ends only what it started.

With --containers, docker or podman builds and runs compose.yaml itself, as a project of its own;
exit status 2 where neither works. With --large and --measure it says what growth costs.
"""

import argparse
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import psycopg

from benchmarks.figures import Figure, write_into
from deploy.rehearsal import figures, large
from deploy.rehearsal.containers import PATIENCE as CONTAINERS_PATIENCE
from deploy.rehearsal.containers import Containers, find_engine
from deploy.rehearsal.machine import PATIENCE, Machine, RehearsalError
from deploy.rehearsal.nights import Client, Club, Site, first_steps, make_club, sign_in

PAUSE: Final = 0.4
"""Seconds between two hands of a table."""
SCALING: Final = Path(__file__).parents[2] / "docs" / "scaling.md"
PARTS: Final = ("web", "worker", "relay", "broker", "proxy", "database")
CAUGHT_UP_MAX: Final = 5.0
"""Seconds after a kill until what was entered meanwhile is published, with the usual patience."""
MARGIN: Final = 1.0


class Log:
    """One line a step, with the seconds since the beginning."""

    def __init__(self) -> None:
        self._begun = time.monotonic()

    def __call__(self, words: str) -> None:
        sys.stdout.write(f"{time.monotonic() - self._begun:6.1f} s  {words}\n")
        sys.stdout.flush()


def main() -> int:
    """Run the rehearsal that the command line asks for."""
    parser = argparse.ArgumentParser(
        prog="deploy/rehearse",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--keep", action="store_true", help="keep the folder, with its logs")
    parser.add_argument(
        "--measure",
        action="store_true",
        help="measure hands, standings and the database instead, in about ten minutes: one web "
        "server and one worker, then two of each, then two at the pace of real nights; "
        "docs/scaling.md explains the figures",
    )
    parser.add_argument(
        "--large",
        type=int,
        nargs="?",
        const=large.CLUBS,
        metavar="CLUBS",
        help="bring in a federation instead (%(const)s clubs with 2,500 hands each, in half an"
        " hour): publish it, read its pages, bring in one more club, back up and restore; prints"
        " tables",
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help="write the tables of --large or --measure into docs/scaling.md",
    )
    parser.add_argument(
        "--containers",
        action="store_true",
        help="build and run the containers of compose.yaml instead, with docker or podman: first "
        "account, a night of hands, a backup; deploy/README.md says what it needs",
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=PATIENCE,
        metavar="SECONDS",
        help="how long to wait at least for a start or an end (%(default)g; for containers "
        f"{CONTAINERS_PATIENCE:g}); where migrating the empty database takes long, it is more",
    )
    options = parser.parse_args()
    # An end from outside cleans up too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = Path(tempfile.mkdtemp(prefix="painsuit-rehearsal-"))
    folder.chmod(0o711)  # PostgreSQL runs as a user of its own where we are root
    log = Log()
    site: Site | None = None
    tables: list[Figure] = []
    try:
        if options.containers:
            engine = find_engine()
            patience = max(options.patience, CONTAINERS_PATIENCE)
            with Containers(folder, engine, patience) as site:
                rehearse_containers(site, log)
            log("containers, volumes, networks and image of the rehearsal are removed")
        elif options.large:
            with Machine(folder, patience=options.patience) as site:
                tables = rehearse_large(site, options.large, log)
            print_tables(tables, f"deploy/rehearse --large {options.large}", options)
        elif options.measure:
            for number, load in enumerate(figures.LOADS):
                own = folder / str(number)
                own.mkdir(0o711)
                with Machine(
                    own, load.nodes, load.nodes, figures.DATABASE_OPTIONS, options.patience
                ) as site:
                    start(site, log)
                    clubs = make_clubs(site, load.clubs, pause=load.pause)
                    tables = figures.measure(site, clubs, load.nights, log)
            print_tables(tables, "deploy/rehearse --measure", options)
        else:
            with Machine(folder, patience=options.patience) as site:
                rehearse(site, log)
    except RehearsalError as error:
        sys.stdout.write(f"failed: {error}\n")
        return 1 if site else 2
    finally:
        if options.keep:
            sys.stdout.write(f"kept in {folder}\n")
        else:
            shutil.rmtree(folder)
    sys.stdout.write("ok\n")
    return 0


def print_tables(tables: Sequence[Figure], command: str, options: argparse.Namespace) -> None:
    """Print tables, and write them into docs/scaling.md if asked to."""
    for figure in tables:
        sys.stdout.write(f"\n{figure}\n")
        if options.write:
            write_into(SCALING, figure, command)


def rehearse(machine: Machine, log: Log) -> None:
    """All steps. Raises RehearsalError."""
    start(machine, log)
    log(f"{len(machine.units)} services are up and healthy")
    clubs = make_clubs(machine)
    log("first account, clubs, players and keys made by the documented first steps")
    threads = [threading.Thread(target=club.play, daemon=True) for club in clubs]
    for thread in threads:
        thread.start()
    machine.wait_until(lambda: count(clubs) >= 20, "hands are not entered")
    for part in PARTS:
        kill(machine, clubs, part, log)
    for club in clubs:
        club.is_over.set()
    for thread in threads:
        thread.join()
    backup = back_up(machine, clubs, log)
    spent = lose_and_restore(machine, backup, log)
    log(f"restored into an empty database in {spent:.1f} s")
    said = check(machine, clubs)
    log(f"every acknowledged hand is there; verify: {said}")
    before = count(clubs)
    for club in clubs:
        club.is_over.clear()
        club.pause = 0
        club.play(nights=1)
    said = check(machine, clubs)
    log(f"{count(clubs) - before} more hands entered and published; verify: {said}")


def rehearse_large(machine: Machine, clubs: int, log: Log) -> list[Figure]:
    """Bring in a federation, and do with it what is done with every club. Raises RehearsalError."""
    steps = large.Steps(log)
    start_database(machine)
    hands = large.bring_in(machine, clubs, steps)
    with steps.timed("all nights and seasons published") as words:
        serve(machine)
        machine.wait_until(lambda: is_caught_up(machine, time.time()), "standings wait")
        words.append(f"from the start of {machine.workers} workers")
    large.read_pages(machine, steps)
    hands += large.bring_in(machine, 1, steps)
    with steps.timed("what was left of it published"):
        machine.wait_until(lambda: is_caught_up(machine, time.time()), "standings wait")
    large.verify(machine, steps)
    tables = large.table_figure(machine, hands)
    backup = large.back_up(machine, steps)
    steps.add("restored into an empty database", lose_and_restore(machine, backup, log))
    large.verify(machine, steps)
    return [large.step_figure(steps, hands), tables]


def rehearse_containers(site: Containers, log: Log) -> None:
    """A first night in the containers of compose.yaml. Raises RehearsalError."""
    site.build()
    log(f"image built by {site.engine}")
    site.up()
    log(f"everything is up and healthy: {site.count_containers()}")
    clubs = make_clubs(site, 1, pause=0)
    log("first account, club, players and keys made by the documented first steps")
    clubs[0].play(nights=1)
    entered = count(clubs)
    site.wait_until(lambda: is_all_ok(site), "/healthz")
    asked = ["psql", "--username", "painsuit", "--tuples-only", "--no-align", "--command"]
    kept = site.execute("database", *asked, "SELECT id FROM scoring_hand").split()
    if sorted(kept) != sorted(clubs[0].entered):
        raise RehearsalError(f"{entered} hands were acknowledged, and {len(kept)} are there")
    log(f"{entered} hands entered over https, each is there once")
    written = site.execute("worker", "python", "manage.py", "rehearse", "--nightly").strip()
    said = site.execute("web", "python", "manage.py", "verify").strip().splitlines()[-1]
    log(f"backup {written.splitlines()[0]}; verify: {said}")


def start(machine: Machine, log: Log) -> None:
    """`docker compose up`: each service after those that it depends on."""
    start_database(machine)
    log("database and broker are healthy, the database is migrated")
    serve(machine)


def start_database(machine: Machine) -> None:
    """What every other service depends on, and an empty database that is migrated."""
    machine.add("database")
    machine.add("broker")
    machine.wait_until_healthy("broker", "database")
    machine.make_database()
    machine.migrate()


def serve(machine: Machine) -> None:
    """What is started once the database is migrated."""
    for name in ("web", "worker", "relay", "proxy"):
        machine.add(name)
    machine.wait_until_healthy("web", "worker")
    machine.wait_until(machine.authority.exists, "the proxy has no certificate")
    machine.wait_until(lambda: is_all_ok(machine), "/healthz is not content")


def is_all_ok(machine: Site) -> bool:
    """Whether /healthz says so of every part."""
    client = Client(machine)
    try:
        answer = client.send("GET", "/healthz", None, {})
    except OSError:
        return False
    return answer.status == 200 and b'"down"' not in client.body


def make_clubs(machine: Site, count: int = 2, *, pause: float = PAUSE) -> list[Club]:
    """The first club by the page of the first steps, others by its account."""
    first = first_steps(machine)
    admin = sign_in(machine)
    others = [
        admin.ask("POST", "/clubs", {"name": f"Club {number}", "currency": "EUR"})["id"]
        for number in range(2, count + 1)
    ]
    return [make_club(machine, admin, club, pause=pause) for club in (first, *others)]


def count(clubs: Sequence[Club]) -> int:
    """How many hands were acknowledged."""
    for club in clubs:
        if club.troubles:
            raise RehearsalError(club.troubles[0])
    return sum(len(club.entered) for club in clubs)


def kill(machine: Machine, clubs: Sequence[Club], part: str, log: Log) -> None:
    """Kill one process of a service, and see how long hands and standings wait."""
    killed = machine.units_of(part)[0]
    before, at = count(clubs), time.time()
    begun = time.monotonic()
    killed.kill()
    # How long PostgreSQL takes to mend itself is no fault of ours.
    recovery = machine.wait_until(
        lambda: machine.is_healthy("database"), "the database does not recover"
    )
    machine.wait_until(
        lambda: time.monotonic() > begun + MARGIN and count(clubs) > before + 5, "no hand"
    )
    machine.wait_until(
        lambda: is_caught_up(machine, at + MARGIN), f"standings wait since {part} was killed"
    )
    caught_up = time.monotonic() - begun
    waited = max(
        hand.acknowledged_at - hand.sent_at
        for club in clubs
        for hand in list(club.entered.values())
        if hand.acknowledged_at > begun
    )
    log(
        f"{part} killed: a hand waited {waited:.1f} s at most, "
        f"standings were up to date {caught_up:.1f} s after it"
        + (f", {caught_up - recovery:.1f} s after its recovery" if part == "database" else "")
    )
    if caught_up - recovery > CAUGHT_UP_MAX * machine.patience / PATIENCE:
        raise RehearsalError(f"standings took {caught_up:.1f} s after {part} was killed")
    machine.wait_until(
        lambda: is_all_ok(machine), f"/healthz is not content after {part} was killed"
    )


def is_caught_up(machine: Machine, moment: float) -> bool:
    """Whether everything that was entered up to a moment (Unix time) is published."""
    asked = (
        "SELECT count(*) FROM tournaments_stale WHERE scope IN ('event', 'league') AND since < %s"
    )
    try:
        with psycopg.connect(machine.database_url, connect_timeout=2) as connection:
            return connection.execute(asked, [datetime.fromtimestamp(moment, UTC)]).fetchone() == (
                0,
            )
    except psycopg.OperationalError:
        return False


def check(machine: Machine, clubs: Sequence[Club]) -> str:
    """Compare what is kept with what was acknowledged. Raises RehearsalError."""
    machine.wait_until(lambda: is_caught_up(machine, time.time()), "standings wait")
    with psycopg.connect(machine.database_url) as connection:
        rows = connection.execute(
            "SELECT id::text, game_id::text, number FROM scoring_hand"
        ).fetchall()
    kept = {hand: (game, number) for hand, game, number in rows}
    acknowledged = {
        hand: (entered.game, entered.number)
        for club in clubs
        for hand, entered in club.entered.items()
    }
    lost = [hand for hand, place in acknowledged.items() if kept.get(hand) != place]
    if lost:
        raise RehearsalError(f"{len(lost)} of {len(acknowledged)} hands are lost: {lost[:3]}")
    doubled = [place for place, times in Counter(kept.values()).items() if times > 1]
    if doubled:
        raise RehearsalError(f"{len(doubled)} hands are there twice: {doubled[:3]}")
    return machine.run("web", "python", "manage.py", "verify").strip().splitlines()[-1]


def back_up(machine: Machine, clubs: Sequence[Club], log: Log) -> Path:
    """Check everything while nobody enters, and write a backup; where it is."""
    said = check(machine, clubs)
    log(f"{count(clubs)} hands acknowledged, each is there once; verify: {said}")
    written, rehearsed = (
        machine.run("worker", "python", "manage.py", "rehearse", "--nightly").strip().split("\n", 1)
    )
    path = Path(written.removeprefix("written to "))
    log(f"backup: {path.stat().st_size // 1000} kB; {rehearsed.removeprefix(f'{path} ')}")
    return path


def lose_and_restore(machine: Machine, backup: Path, log: Log) -> float:
    """Lose every volume, and come back from a copy as docs/operate/backups.md says.

    Returns the seconds that the restore took.
    """
    copy = machine.folder / backup.name
    shutil.copy(backup, copy)
    machine.stop()
    for volume in ("database", "broker", "data", "backups"):
        shutil.rmtree(machine.folder / "volumes" / volume)
    log("stopped; the volumes of database, broker, data and backups are deleted")
    start_database(machine)
    begun = time.monotonic()
    machine.run("worker", "python", "manage.py", "restore", "-", stdin=copy)
    spent = time.monotonic() - begun
    serve(machine)
    return spent


if __name__ == "__main__":
    sys.exit(main())
