import { serverNow } from '../../../ui/now.js';

/** All time zones that the browser knows, UTC first. */
export const ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** Normalizes spelling variants: `new york`, `New_York`. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[^a-z0-9+]/g, '');

/** Time zones that match a text, first those whose city starts with it. */
export function zonesLike(text: string, most: number): string[] {
  const term = plain(text);
  if (term === '') return [];
  const found = ZONES.filter((zone) => plain(zone).includes(term));
  const begins = (zone: string) => plain(zone.split('/').at(-1) ?? '').startsWith(term);
  return [...found.filter(begins), ...found.filter((zone) => !begins(zone))].slice(0, most);
}

/** Whether a text is no mere part of a zone's name: then it is one, or the service may know it. */
export const isWhole = (text: string): boolean => ZONES.includes(text) || zonesLike(text, 1).length === 0;

/** A zone's clock now and how far it is from UTC: `10:40, UTC+02:00`; null for no zone. */
export function zoneClock(zone: string): string | null {
  try {
    const now = serverNow();
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
    const formatter = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' });
    const offset = formatter.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
    return `${clock.format(now)}, ${offset.replace('GMT', 'UTC')}`;
  } catch {
    return null;
  }
}
