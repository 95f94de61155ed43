// A passkey is asked of the device by what the page's form holds; its answer is sent with the form.
/** @type {Form | null} */
const form = document.querySelector("form[data-passkey]");
/** @type {HTMLButtonElement | null} */
const button = form?.querySelector("button.passkey");

/** @param {string} text */
const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) =>
    sign.charCodeAt(0),
  );

/** @param {ArrayBuffer} buffer */
const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const withBytes = (descriptors) => descriptors?.map((one) => ({ ...one, id: toBytes(one.id) }));

const answer = async () => {
  const asked = JSON.parse(form.dataset.passkey);
  const publicKey = {
    ...asked,
    challenge: toBytes(asked.challenge),
    allowCredentials: withBytes(asked.allowCredentials),
    excludeCredentials: withBytes(asked.excludeCredentials),
  };
  if (!asked.user) return navigator.credentials.get({ publicKey });
  publicKey.user = { ...asked.user, id: toBytes(asked.user.id) };
  return navigator.credentials.create({ publicKey });
};

const toSend = (credential) => {
  const response = {};
  for (const name of [
    "clientDataJSON",
    "attestationObject",
    "authenticatorData",
    "signature",
    "userHandle",
  ]) {
    if (credential.response[name]) response[name] = toText(credential.response[name]);
  }
  const rawId = toText(credential.rawId);
  return { id: rawId, rawId, type: credential.type, response };
};

if (button && !window.PublicKeyCredential) {
  button.hidden = true;
  form.querySelector(".no-passkey")?.classList.remove("no-script");
} else if (button) {
  // A browser that does not know the media feature "scripting" still shows it.
  form.querySelector(".no-passkey")?.remove();
  /** @type {HTMLElement} */
  const failed = form.querySelector(".passkey-failed");
  button.addEventListener("click", async () => {
    failed.hidden = true;
    if (!form.reportValidity()) return;
    try {
      form.elements.passkey.value = JSON.stringify(toSend(await answer()));
    } catch {
      failed.hidden = false;
      return;
    }
    form.submit();
  });
}
