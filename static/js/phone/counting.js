// Seats in turn, and how many cards there are, from the rules as the game gives them.
const SUIT_SIZE = 13;

export function leftOf(seats, seat, by = 1) {
  return seats[(seats.indexOf(seat) + by) % seats.length];
}

// The seats in turn, the dealer last.
export function turns(seats, dealer) {
  return seats.map((_, place) => leftOf(seats, dealer, place + 1));
}

// The cards that are left out with so many players: `3:D2,5:D2C2`.
function stripped(rules, players) {
  const row = rules.strip.split(",").find((one) => one.startsWith(`${players}:`));
  const cards = [];
  let suit = "";
  for (const letter of row ? row.split(":")[1] : "") {
    if ("SHDC".includes(letter)) suit = letter;
    else cards.push(suit + letter);
  }
  return cards;
}

export function suitSize(rules, players, suit) {
  return SUIT_SIZE - stripped(rules, players).filter((card) => card[0] === suit).length;
}

export function tricks(rules, players) {
  return Math.floor((52 - stripped(rules, players).length) / players);
}

// The pack of a table, by suit, as cards are held.
export function pack(rules, players) {
  const gone = stripped(rules, players);
  return ["S", "H", "D", "C"].map((suit) =>
    Array.from("AKQJT98765432", (rank) => suit + rank).filter((card) => !gone.includes(card)),
  );
}

export const sum = (numbers) => numbers.reduce((whole, one) => whole + one, 0);
export const bySeat = (seats, make) => Object.fromEntries(seats.map((seat) => [seat, make(seat)]));

// A test for whole numbers.
export const within = (least, most) => (value) =>
  Number.isInteger(value) && value >= least && value <= most;
