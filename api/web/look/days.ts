import { serverNow } from './now.js';

const DAY_MS = 86_400_000;

/** A day from now on the UTC calendar, as the API counts expiry: `2030-01-31`. */
export const dayFromNow = (days: number): string => new Date(serverNow() + days * DAY_MS).toISOString().slice(0, 10);

/** Whether a text is a day as fields of days have it: `2030-01-31`. */
export const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The instant at which a day begins by the viewer's clock, or one so many days after it. */
export function startOfDay(day: string, after = 0): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + after);
  return date.toISOString();
}
