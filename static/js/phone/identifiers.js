// Ids made on the phone. Only getRandomValues is there on a page without TLS, as on a club's Wi-Fi.
function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function shaped(bytes, version) {
  bytes[6] = (bytes[6] & 0x0f) | (version << 4);
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const all = hex(bytes);
  return [
    all.slice(0, 8),
    all.slice(8, 12),
    all.slice(12, 16),
    all.slice(16, 20),
    all.slice(20),
  ].join("-");
}

export function random(length) {
  return hex(crypto.getRandomValues(new Uint8Array(length)));
}

// A key for one request, to be sent again with each retry.
export function uuid4() {
  return shaped(crypto.getRandomValues(new Uint8Array(16)), 4);
}

// The id of a hand (RFC 9562): milliseconds first, then chance.
export function uuid7(now = Date.now()) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  for (let place = 5, rest = now; place >= 0; place -= 1, rest = Math.floor(rest / 256)) {
    bytes[place] = rest % 256;
  }
  return shaped(bytes, 7);
}
