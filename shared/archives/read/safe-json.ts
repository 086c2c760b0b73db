/** A line is not the JSON that it should be. The message says why. */
export class BadJson extends Error {}

/** Depth of arrays and objects in each other (group-export-import.md section 5). */
const MOST_DEPTH = 100;
/** Keys of one object: relations have some dozens. A million of them would fill the memory before any is dropped. */
const MOST_KEYS = 1000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Where the text that begins at `at` ends: behind its last quote. */
function behindText(line: Buffer, at: number): number {
  for (let next = line.indexOf(QUOTE, at + 1); next >= 0; next = line.indexOf(QUOTE, next + 1)) {
    let backslashes = 0;
    while (line[next - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return next + 1;
  }
  return line.length;
}

/** Looks at brackets and keys alone, before anything is made of them. @throws BadJson */
function requireBounded(line: Buffer): void {
  const keys: number[] = [0];
  for (let at = 0; at < line.length;) {
    const byte = line[at] as number;
    if (byte === QUOTE) {
      at = behindText(line, at);
      continue;
    }
    if (byte === 0x7b || byte === 0x5b) keys.push(0);
    else if ((byte === 0x7d || byte === 0x5d) && keys.length > 1) keys.pop();
    else if (byte === COLON) keys[keys.length - 1] = (keys.at(-1) as number) + 1;
    if (keys.length > MOST_DEPTH + 1) throw new BadJson(`is nested deeper than ${MOST_DEPTH}`);
    if ((keys.at(-1) as number) > MOST_KEYS) throw new BadJson(`has an object of more than ${MOST_KEYS} attributes`);
    at += 1;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A value of JSON. Keys such as `__proto__` become plain properties, which nothing may copy by assignment: read objects
 * through {@link ownValue}.
 * @throws BadJson
 */
export function parseJson(line: Buffer): unknown {
  requireBounded(line);
  try {
    return JSON.parse(utf8.decode(line)) as unknown;
  } catch {
    throw new BadJson('is not valid JSON');
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A property of an object's own; undefined for one that it inherits or has not. */
export const ownValue = (row: JsonObject, key: string): unknown => (Object.hasOwn(row, key) ? row[key] : undefined);
