// What waits to be sent: kept before it is sent, with its key, and sent in the order in which it
// was told. What the server refuses stays here until somebody decides; nothing is dropped.
import { authorization, NoNetwork, request } from "./api.js";
import { uuid4 } from "./identifiers.js";
import { all, drop, get, put } from "./store.js";

const LATER = new Set([408, 425, 429, 500, 502, 503, 504, 507]);
const CLOSED = new Set([401, 404, 410]);

// `item`: game, kind (hand, word, seal, opening), path, body, and what the page shows of it. One
// with an order takes the place of what was refused there.
/** @param {Record<string, unknown>} item */
export function add({ order, ...item }) {
  const place = order === undefined ? {} : { order };
  const whole = {
    ...item,
    ...place,
    body: JSON.stringify(item.body),
    key: uuid4(),
    state: "waiting",
  };
  return put("queue", whole);
}

export async function waiting(game) {
  const items = await all("queue");
  return items.filter((item) => item.game === game).sort((one, two) => one.order - two.order);
}

export async function waitingElsewhere(game) {
  return (await all("queue")).filter((item) => item.game !== game).length;
}

export function takeBack(item) {
  return drop("queue", item.order);
}

export function tryAgain(item) {
  return put("queue", { ...item, state: "waiting", problem: null });
}

let running = null;

// Send all that can be sent. Gives what was answered, whether there is a network, when to try
// again (seconds), whether the server has no space, and which problem closed the link.
export function flush() {
  running ??= run().finally(() => {
    running = null;
  });
  return running;
}

async function run() {
  const said = { answered: [], reached: null, later: 0, isFull: false, closed: {} };
  const items = (await all("queue")).sort((one, two) => one.order - two.order);
  const held = new Set(); // games of which a hand waits for somebody's decision
  for (const item of items) {
    const blocked = held.has(item.game) && item.kind === "hand";
    if (item.state === "refused" || blocked) {
      if (item.kind === "hand") held.add(item.game);
      continue;
    }
    if (said.closed[item.game]) continue;
    if (!(await sent(item, said))) break;
    if (item.state === "refused" && item.kind === "hand") held.add(item.game);
  }
  return said;
}

// Send one; false: there is no use in going on now.
async function sent(item, said) {
  const table = await get("tables", item.game);
  const as = authorization({ ...table, speaks: item.speaks });
  let answer;
  try {
    answer = await request(item.path, { as, body: item.body, key: item.key });
  } catch (error) {
    if (!(error instanceof NoNetwork)) throw error;
    said.reached = false;
    return false;
  }
  said.reached = true;
  const { status, data, headers } = answer;
  const unread = status < 400 && data === null;
  if (unread || LATER.has(status) || data?.code === "IN_PROGRESS") {
    said.later = Number(headers.get("Retry-After")) || 3;
    said.isFull = status === 507;
    return false;
  }
  if (status < 300) {
    await drop("queue", item.order);
    said.answered.push({ item, data });
  } else if (CLOSED.has(status)) {
    said.closed[item.game] = data ?? { status };
  } else {
    const problem = data ?? { status };
    Object.assign(item, { state: "refused", problem });
    await put("queue", item);
    said.answered.push({ item, problem });
  }
  return true;
}
