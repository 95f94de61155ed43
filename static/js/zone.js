// A new club's clock is that of the machine on which it is founded, until another one is chosen.
/** @typedef {HTMLFormElement & { elements: { time_zone: HTMLSelectElement } }} FormWithZone */
const zone = /** @type {FormWithZone | null} */ (document.querySelector("[data-clock-of-here]"))
  ?.elements.time_zone;
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && [...zone.options].some((option) => option.value === here)) zone.value = here;
