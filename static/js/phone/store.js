// What this phone keeps: the table it is at, the hand being told, what waits to be sent, and
// secret papers. In IndexedDB; where there is none (a private window), until the page is closed.
const STORES = { tables: "game", drafts: "game", queue: "order", secrets: "id" };
const memory = Object.fromEntries(Object.keys(STORES).map((name) => [name, new Map()]));

let opening = null;

function opened() {
  opening ??= new Promise((resolve) => {
    let asked;
    try {
      asked = indexedDB.open("painsuit-table", 1);
    } catch {
      resolve(null);
      return;
    }
    asked.onupgradeneeded = () => {
      for (const [name, keyPath] of Object.entries(STORES)) {
        asked.result.createObjectStore(name, { keyPath, autoIncrement: name === "queue" });
      }
    };
    asked.onsuccess = () => {
      asked.result.onversionchange = () => asked.result.close();
      resolve(asked.result);
    };
    asked.onerror = () => resolve(null);
    asked.onblocked = () => resolve(null);
  });
  return opening;
}

// One step in one store: what the request gives, once it is safely on the phone.
async function step(name, mode, act, otherwise) {
  const database = await opened();
  if (!database) return otherwise(memory[name]);
  return new Promise((resolve, reject) => {
    const change = database.transaction(name, mode, { durability: "strict" });
    const asked = act(change.objectStore(name));
    change.oncomplete = () => resolve(asked.result);
    change.onabort = () => reject(change.error ?? asked.error);
  });
}

export async function isKept() {
  return (await opened()) !== null;
}

export function get(name, key) {
  return step(
    name,
    "readonly",
    (store) => store.get(key),
    (all) => all.get(key),
  );
}

export function all(name) {
  return step(
    name,
    "readonly",
    (store) => store.getAll(),
    (held) => [...held.values()],
  );
}

let last = 0;

// Keep a value, in place of the one that has its key; gives the key.
export function put(name, value) {
  return step(
    name,
    "readwrite",
    (store) => store.put(value),
    (held) => {
      const key = value[STORES[name]] ?? ++last;
      held.set(key, { ...value, [STORES[name]]: key });
      return key;
    },
  );
}

export function drop(name, key) {
  return step(
    name,
    "readwrite",
    (store) => store.delete(key),
    (held) => held.delete(key),
  );
}
