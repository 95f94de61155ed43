"""Games as use cases: opening, buy-ins, closing, nights, seat links, money and entry fees."""
