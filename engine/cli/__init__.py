"""The command line: how records, games and rules look in lines of text.

    main                       the program `painsuit`
    commands/                  validate, settle, show, convert, rules: options and answer
    session                    standard streams, exit statuses, options that commands share
    games hands rules rows profiles     what is printed
    settlement standings tricks diagram diagnostics cards    parts of it
    inputs outputs gauge screen language    files, progress, lines of text, their language

A command knows no framework: the service's management commands run the same ones.
"""
