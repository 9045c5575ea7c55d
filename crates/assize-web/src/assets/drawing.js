// Small pieces of pages, made of elements and texts. Data never becomes markup.

/** An element with attributes and children; `class`, `data-…` and `on…` as written. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === undefined || value === null) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== "" && child !== false));
  return made;
}

/** A word in the colour of a rating. */
export const rated = (rating, word) => element("span", { class: "rating", "data-rating": rating }, word);

export const plural = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;
