"""Sheets for a night and a season: `orders` prints; the others gather what is on paper."""
