"""Score slips on paper: printed with circles, photographed, read, and looked at by a person.

::

    codes -- layout -- printing                                      what is printed
               |
    pictures -- sheets -- circles -- judging -- recognition -- interpretation
                                  pure: bytes in, meaning and questions out
                                                   |
    intake -- matching ------------------------- review      the database: slips, hands, decisions

`matching` makes the codes of an installation, too. `check_in` prints the list of who may come, and
reads who came.
"""
