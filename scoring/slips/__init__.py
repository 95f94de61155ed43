"""Score slips on paper: printed with circles, photographed, read, and looked at by a person.

::

    codes -- layout -- printing, list_printing       what is printed
               |
    pictures -- recognition -- interpretation        pure: bytes in, meaning and questions out
                                     |
    intake -- matching ----------- review            the database: slips, hands, decisions

``origin`` makes the codes of an installation, `check_in` reads the list of who came.
"""
