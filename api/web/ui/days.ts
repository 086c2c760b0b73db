import { serverNow } from './now.js';

const DAY_MS = 86_400_000;

/** A day from now on the UTC calendar, as the API counts expiry: `2030-01-31`. */
export const dayFromNow = (days: number): string => new Date(serverNow() + days * DAY_MS).toISOString().slice(0, 10);
