{% comment %}The page and its files stay on the phone; everything else goes to the network.{% endcomment %}const EDITION = "painsuit-table-{{ edition }}";
const FILES = {{ addresses|safe }};
const PAGE = "/t/";

self.addEventListener("install", (event) => {
  event.waitUntil(keep().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forget().then(() => self.clients.claim()));
});

async function keep() {
  const kept = await caches.open(EDITION);
  const fresh = [PAGE, ...FILES].map((address) => new Request(address, { cache: "reload" }));
  await kept.addAll(fresh);
}

async function forget() {
  const old = (await caches.keys()).filter((name) => name.startsWith("painsuit-table-"));
  await Promise.all(old.filter((name) => name !== EDITION).map((name) => caches.delete(name)));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(opened(request, pathname));
  else if (FILES.includes(pathname)) event.respondWith(file(request, pathname));
});

// The page as it is kept; a link is asked for first, since only the server knows if it is open.
async function opened(request, pathname) {
  const kept = await caches.match(PAGE, { cacheName: EDITION });
  if (pathname === PAGE && kept) return kept;
  try {
    return await fetch(request);
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

async function file(request, pathname) {
  return (await caches.match(pathname, { cacheName: EDITION })) ?? fetch(request);
}
