export interface Identity {
  name: string;
  email: string;
}

// oxlint-disable-next-line no-control-regex
const neverAllowed = /[\x00-\x1f\x7f<>]/g;
const edges = /^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g;

/**
 * `Name <mail> seconds +0000`, as commits and tags store it. What would break the line is left out, as git does
 * itself; a name with nothing left becomes the address.
 */
export function identityLine(identity: Identity, at: Date): string {
  const email = clean(identity.email);
  const name = clean(identity.name) || email || 'unknown';
  return `${name} <${email}> ${Math.floor(at.getTime() / 1000)} +0000`;
}

function clean(text: string): string {
  return text.replace(neverAllowed, '').replace(edges, '');
}

export interface StampedIdentity extends Identity {
  /** ISO 8601 with the offset it was written with. */
  date: string;
}

/** Reads what `identityLine` writes; null for a line that git itself would not understand. */
export function parseIdentityLine(line: string): StampedIdentity | null {
  const match = /^(.*?) ?<([^>]*)> (-?\d+) ([+-]\d+)$/.exec(line);
  if (!match) return null;
  const [, name = '', email = '', seconds = '0', zone = '+0000'] = match;
  return { name, email, date: isoWithOffset(`${seconds} ${zone}`) };
}

/** Turns git's raw date (`1340880260 -0700`) into ISO 8601 with its own offset (`2012-06-28T03:44:20-07:00`). */
export function isoWithOffset(raw: string): string {
  const [, seconds = '0', sign = '+', hours = '00', minutes = '00'] = /^(-?\d+) ([+-])(\d\d)(\d\d)$/.exec(raw) ?? [];
  const shift = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60 : 60);
  const local = new Date((Number(seconds) + shift) * 1000);
  // Commits with nonsense dates exist in real repositories; they must not break a list.
  if (Number.isNaN(local.getTime())) return '1970-01-01T00:00:00+00:00';
  return `${local.toISOString().replace(/\.\d+Z$/, '')}${sign}${hours}:${minutes}`;
}
