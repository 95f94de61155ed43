"""A hand that is being played: what may be done now, one step on, one step back, and its record.

    hand       `Hand` and `start`: the class that a programmer plays with
    choices    every legal action of the seat in turn, or one of them by chance
    scorer     the record that a careful scorer would write of it

A hand between two actions is a `state`; `legality` judges an action and `steps` carries it out.
"""
