'''The API under /api/v1/: its frame, and the doors of clubs and their people.

A door reads the request, lets in who may come, calls one use case and answers. `Door` is a view;
`read` and `write` make a door of a method and describe it for OpenAPI from the same forms and
types. A complete read door and a complete write door::

    class GameOut(TypedDict):
        """A game as it stands."""

        id: UUID
        name: str
        version: int

    CHANGE = changes(form(name=Text(most=200), dealer=Whole(most=5)))
    FILTERS = form(open=Flag(required=False, words="Only those that go on."))

    class Games(Door):
        @read(Right.CLUB_READ, gives=GameOut, query=FILTERS, pages=True)
        def get(self, ask: Ask, club_id: UUID) -> Answer:
            """List a club's games."""
            return ask.page(queries.games(ask.club, **ask.query), game_out)

    class OneGame(GameDoor):
        @write(Right.GAMES_OPEN, takes=CHANGE, gives=GameOut, edits=True)
        def patch(self, ask: Ask, game_id: UUID) -> Answer:
            """Change a game."""
            game = games.change_game(
                game_id=game_id, changes=ask.values, version=ask.version, by=ask.by, at=ask.at
            )
            return Answer(game_out(game), version=game.version)

The right is asked for before the method runs, in the place that the address names: `Door.find`
knows ``club_id``; another kind of place is a subclass that overrides it, and may list one more way
in::

    class GameDoor(Door):
        authentication_classes = [SeatAuthentication, *Door.authentication_classes]

        def find(self, ids: Mapping[str, Any]) -> Place:
            game = Game.objects.select_related("club").filter(pk=ids["game_id"]).first()
            return Place(game.club, game.pk) if game else Place(None)

    class SeatAuthentication(Authentication):
        name = "seat"
        scheme = {"type": "http", "scheme": "Seat", "description": "The link of a table."}

        def asker(self, request: Request) -> Asker | None:
            shown = credentials(request, "Seat")
            if shown is None:
                return None
            ...  # ProblemError("GONE", ...) for one that has expired
            return Asker(Actor(ActorKind.LINK, Source.TABLE, link.pk, link.seat), game=link.game_id)

What the frame promises:

- Who may not know of a place gets 404, the same as for one that is not there; who may see it but
  not do this gets 403, or 401 if he is nobody in particular. ``ask.rights`` are all his rights.
- A write needs ``Idempotency-Key``, runs in one durable transaction together with the row that
  keeps its answer, and is answered twice alike. Use cases may be atomic themselves, never durable.
  Errors are not kept, and roll everything back. Secrets go into ``Answer(once={...})``.
- ``edits=True`` needs ``If-Match``; ``ask.version`` is what it says. A `StaleError` becomes 412
  with both versions and, if it brings ``current``, the difference. ``Answer(version=...)`` is the
  ETag.
- Use cases refuse with the errors of `tournaments.core.errors` (each has its code, 422 as a rule);
  doors with `ProblemError` and a code from `tournaments.api.problems.KINDS`.
- What is not read is refused: unknown keys, wrong types, a body or words in the address where none
  are expected.
'''
