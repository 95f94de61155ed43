"""The desk's pages about clubs, members, house rules, leagues and events; under /desk/."""
