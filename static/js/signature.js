// The digest of a file is enough to check its signature: the file itself need not be sent.
const form = /** @type {Form} */ (document.getElementById("signing"));
const BYTES_MAX = 1024 ** 3; // bytes: more is not taken into memory at once

let digest = "";

/** @param {File} file */
async function digestOf(file) {
  const found = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return Array.from(new Uint8Array(found), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

form.addEventListener("submit", async (event) => {
  const [file] = form.elements.file.files;
  // Browsers digest only where the connection is safe; elsewhere the file is sent.
  if (!file || file.size > BYTES_MAX || !window.crypto?.subtle) return;
  event.preventDefault();
  try {
    digest = await digestOf(file);
  } finally {
    form.submit();
  }
});

form.addEventListener("formdata", ({ formData }) => {
  if (!digest) return;
  formData.set("name", /** @type {File} */ (formData.get("file")).name);
  formData.set("digest", digest);
  formData.delete("file");
  digest = "";
});
