// Names without case, accents and special letters, as the server folds them to find them.
export function folder() {
  const letters = JSON.parse(document.getElementById("letters")?.textContent ?? "{}");
  return (text) =>
    text
      .normalize("NFKD")
      .toLowerCase()
      .normalize("NFKD")
      .replace(/\p{Mn}/gu, "")
      .replace(/[^ -_a-z]/gu, (letter) => letters[letter] ?? letter)
      .replace(/\s+/gu, " ")
      .trim();
}
