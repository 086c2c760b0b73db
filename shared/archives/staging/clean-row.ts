import type { ArchiveAttribute, ArchiveAttributes } from '../format/attributes.js';
import { isJsonObject, ownValue } from '../read/json-lines.js';
import type { JsonObject } from '../read/json-lines.js';

/** A row as imported: only the declared attributes, each of its declared type or null. */
export type CleanRow = Record<string, unknown>;

/** A row is not imported. The message gives the reason, in the form `title is not a text`. */
export class BadRow extends Error {
  constructor(
    private readonly problem: string,
    /** The attribute, and those around it. */
    private readonly path: readonly string[] = [],
  ) {
    super([path.join('.'), problem].filter((part) => part !== '').join(' '));
  }

  /** The same of an attribute of `name`. */
  within(name: string): BadRow {
    return new BadRow(this.problem, [name, ...this.path]);
  }
}

const TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?( ?UTC|Z|[+-]\d{2}:\d{2})$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

function cleanTime(value: unknown): string {
  if (typeof value !== 'string' || !TIME.test(value)) throw new BadRow('is not a time');
  const ms = Date.parse(value.replace(' ', 'T').replace(/ ?UTC$/, 'Z'));
  if (Number.isNaN(ms)) throw new BadRow('is not a time');
  return new Date(ms).toISOString();
}

function cleanDate(value: unknown): string {
  const ms = typeof value === 'string' && DATE.test(value) ? Date.parse(value) : Number.NaN;
  // A day that the month has not would become one of the next month.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(value as string)) throw new BadRow('is not a date');
  return value as string;
}

function cleanText(value: unknown): string {
  if (typeof value !== 'string') throw new BadRow('is not a text');
  if (value.includes('\0') || !value.isWellFormed()) throw new BadRow('has characters that no text has');
  return value;
}

function cleanNumber(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw new BadRow('is not a whole number');
  return value as number;
}

function cleanId(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1) throw new BadRow('is not an id');
  return value as number;
}

function cleanFlag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new BadRow('is neither true nor false');
  return value;
}

/** Called for each part of a row that is left out, with the reason. */
export type OnProblem = (problem: BadRow) => void;

function cleanObject(of: ArchiveAttributes, value: unknown, onProblem: OnProblem): CleanRow {
  if (!isJsonObject(value)) throw new BadRow('is not an object');
  return cleanRow(of, value, onProblem);
}

/** Invalid elements are left out, each with its reason. */
function cleanList(of: ArchiveAttributes, value: unknown, onProblem: OnProblem): CleanRow[] {
  if (!Array.isArray(value)) throw new BadRow('is not a list');
  return value.flatMap((element: unknown, index) => {
    try {
      return [cleanObject(of, element, onProblem)];
    } catch (error) {
      if (!(error instanceof BadRow)) throw error;
      onProblem(error.within(String(index)));
      return [];
    }
  });
}

function cleanValue(attribute: ArchiveAttribute, value: unknown, onProblem: OnProblem): unknown {
  switch (attribute.is) {
    case 'id':
    case 'ref':
      return cleanId(value);
    case 'number':
      return cleanNumber(value);
    case 'text':
      return cleanText(value);
    case 'flag':
      return cleanFlag(value);
    case 'time':
      return cleanTime(value);
    case 'date':
      return cleanDate(value);
    case 'choice':
      if (!attribute.of.includes(value as string | number)) throw new BadRow('is none of the known values');
      return value;
    case 'one':
      return cleanObject(attribute.of, value, onProblem);
    case 'many':
      return cleanList(attribute.of, value, onProblem);
    default:
      return value;
  }
}

/**
 * Only the declared attributes of a row: unknown keys are dropped, whatever their names. Missing ones become null.
 * @param onProblem called for omitted elements of lists
 * @throws BadRow for an attribute that does not match its declaration
 */
export function cleanRow(attributes: ArchiveAttributes, row: JsonObject, onProblem: OnProblem): CleanRow {
  const clean: CleanRow = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = ownValue(row, name) ?? null;
    try {
      clean[name] = value === null ? null : cleanValue(attribute, value, (problem) => onProblem(problem.within(name)));
    } catch (error) {
      if (!(error instanceof BadRow)) throw error;
      throw error.within(name);
    }
  }
  return clean;
}
