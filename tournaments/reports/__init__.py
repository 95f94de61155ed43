"""Reports: what every table of a club's tournaments holds, declared once for pages and files.

A report is a `Table` of `tournaments.tables`: columns with what they are called in the reader's
language, and records read by selectors. Writing it as a file is left to `tournaments.tables`.
"""
