{% comment %}The page and its files stay on the phone; everything else goes to the network.{% endcomment %}const EDITION = "painsuit-{{ name }}-{{ edition }}";
const FILES = {{ addresses|safe }};
const PAGE = "{{ page }}";
const STATIC = "{{ static }}";
const LANGUAGE = "{{ language }}";

self.addEventListener("install", (event) => {
  event.waitUntil(keep().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forget().then(() => self.clients.claim()));
});

async function keep() {
  const kept = await caches.open(EDITION);
  // The names of files never mean anything else; what the browser has of them need not come again.
  await kept.addAll([new Request(PAGE, { cache: "reload" }), ...FILES]);
}

// The edition before this one stays: a page of it may be open, and still ask for its files.
async function forget() {
  const all = (await caches.keys()).filter((name) => name.startsWith("painsuit-{{ name }}-"));
  const old = all.filter((name) => name !== EDITION).slice(0, -1);
  await Promise.all(old.map((name) => caches.delete(name)));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate" && pathname === LANGUAGE) event.respondWith(chosen(request));
  else if (request.mode === "navigate") event.respondWith(opened(request, pathname));
  else if (pathname.startsWith(STATIC)) event.respondWith(file(request, pathname));
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

// Another language was chosen: the page that is kept is to be in that one. Without a network it
// stays as it is.
async function chosen(request) {
  try {
    const answer = await fetch(request);
    const kept = await caches.open(EDITION);
    await kept.add(new Request(PAGE, { cache: "reload" }));
    return answer;
  } catch {
    return Response.redirect(PAGE);
  }
}

async function file(request, pathname) {
  return (await caches.match(pathname)) ?? fetch(request);
}
