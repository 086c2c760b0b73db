import { DISPLAY_NAMES, UNLISTED_NAMES } from './time-zone-names.js';

const displayNames = new Map(
  DISPLAY_NAMES.trim()
    .split('\n')
    .map((line) => line.trim().split(': ') as [zone: string, names: string])
    .flatMap(([zone, names]) => names.split(', ').map((name) => [name, zone] as const)),
);

// Intl ignores case and accepts offsets and abbreviations such as PST, so names are checked against a list.
const zoneNames = new Set([
  ...Intl.supportedValuesOf('timeZone'),
  ...UNLISTED_NAMES.trim().split(/\s+/).filter(isIntlZone),
  ...Array.from({ length: 13 }, (_, hours) => `Etc/GMT+${hours}`),
  ...Array.from({ length: 15 }, (_, hours) => `Etc/GMT-${hours}`),
]);

/**
 * The IANA name of a time zone as users name it (pipeline-schedules.md section 4): an IANA name, also an old one such as `US/Pacific`, is
 * returned as it is; one of the long display names (`Pacific Time (US & Canada)`, `Tokyo`) is translated. Case matters. Null when unknown.
 */
export function resolveTimeZone(name: string): string | null {
  return displayNames.get(name) ?? (zoneNames.has(name) ? name : null);
}

/** All long display names, in the order of their zones from west to east. */
export function displayTimeZones(): string[] {
  return [...displayNames.keys()];
}

/** The release of the zone data in use (`2026c`). When it changes, stored next runs may be wrong and have to be computed again. */
export function timeZoneDataVersion(): string {
  return process.versions.tz ?? 'unknown';
}

function isIntlZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
