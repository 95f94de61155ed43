"""People and clubs as use cases: accounts, members, roles, invitations, API keys, house rules."""
