import { BadJson } from './line-scan.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A value of JSON, once a `LineScan` has counted what it holds. Keys such as `__proto__` become plain properties, which
 * nothing may copy by assignment: read objects through {@link ownValue}.
 * @throws BadJson
 */
export function parseJson(line: Buffer): unknown {
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
