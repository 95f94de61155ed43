"""Management commands that answer in lines of text, as the engine's command line does."""
