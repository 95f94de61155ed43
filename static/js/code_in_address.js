// Before anything is painted: whether the address brings the code, so that nothing has to move.
document.documentElement.classList.toggle("has-code", location.hash.length > 1);
