"""Prizes and pools: exact to the minor unit, and the parts add up."""
