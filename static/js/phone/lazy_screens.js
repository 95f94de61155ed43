// Screens that the first sight of a table does without (screens.js); null until they have come.
export let screens = null;

export function setScreens(found) {
  screens = found;
}
