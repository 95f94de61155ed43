// The browsable API: a write has the idempotency key of its page, and names the version shown.
const { key, etag } = document.currentScript.dataset;

$.ajaxPrefilter((options) => {
  options.headers = { ...options.headers, "Idempotency-Key": key };
  if (etag) {
    options.headers["If-Match"] = etag;
  }
});
