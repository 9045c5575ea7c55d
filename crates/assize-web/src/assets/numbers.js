// Figures as the server writes them, for what changes while a page is looked at.

const grouped = new Intl.NumberFormat("en-US");

export const count = (number) => grouped.format(number);

export function dollars(amount) {
  if (amount === null || amount === undefined) return "price not known";
  if (amount === 0) return "$0";
  return `$${amount.toFixed(amount < 0.01 ? 6 : amount < 1 ? 4 : 2)}`;
}

export function duration(milliseconds) {
  if (milliseconds < 1000) return `${milliseconds} ms`;
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 60) return `${(milliseconds / 1000).toFixed(1)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min`;
}

export const figure = (value) => (value === null || value === undefined ? "–" : value.toFixed(3));
