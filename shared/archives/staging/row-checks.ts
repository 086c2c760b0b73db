import { Invalid } from '../../core/values/errors.js';
import { readLabelValues } from '../../planning/labels/label.rules.js';
import { BadRow } from './clean-row.js';
import type { CleanRow } from './clean-row.js';

export const MAX_TITLE = 255;
export const MAX_TEXT = 1_000_000;
/** Of labels that have none. */
const LABEL_COLOR = '#6699cc';
/** Numbers that are kept: above them too few would be left for what is made later. */
const LAST_IID = 1_000_000_000;

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const isTooLong = (text: string, most: number) => text.length > most && [...text].length > most;

export function requireText(row: CleanRow, name: string, most = MAX_TITLE): void {
  const text = textOf(row[name]);
  if (text.trim() === '') throw new BadRow("can't be blank", [name]);
  if (isTooLong(text, most)) throw new BadRow(`is too long (maximum is ${most} characters)`, [name]);
}

export function requireShort(row: CleanRow, name: string, most: number): void {
  if (isTooLong(textOf(row[name]), most)) throw new BadRow(`is too long (maximum is ${most} characters)`, [name]);
}

export const keptIid = (iid: unknown): number | null =>
  typeof iid === 'number' && iid >= 1 && iid <= LAST_IID ? iid : null;

export function label(row: CleanRow): CleanRow {
  const value = { title: textOf(row.title), color: textOf(row.color) || LABEL_COLOR };
  return { ...row, ...readLabelValues({ ...value, description: row.description as string | null }) };
}

/** A label as it stands beside what has it; null for one that no label could be. */
export function labelOrNull(value: unknown): CleanRow | null {
  try {
    return value === null || value === undefined ? null : label(value as CleanRow);
  } catch (error) {
    if (error instanceof Invalid) return null;
    throw error;
  }
}

/** Labels of something else, those left out that no label could be. */
export const labelLinks = (links: unknown): CleanRow[] =>
  ((links ?? []) as { label: CleanRow | null }[]).flatMap(({ label: value }) => {
    const found = labelOrNull(value);
    return found === null ? [] : [{ label: found }];
  });

/** Notes that say something, and not too much. */
export const notes = (value: unknown): CleanRow[] =>
  ((value ?? []) as CleanRow[]).filter(({ note }) => textOf(note).trim() !== '' && !isTooLong(textOf(note), MAX_TEXT));

const LARGEST = 2 ** 31 - 1;
const EMOJI = /^[a-z0-9_+-]{1,64}$/;

export const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= LARGEST;
export const rowsIn = (value: unknown) => (value ?? []) as CleanRow[];

export const awards = (value: unknown): CleanRow[] => rowsIn(value).filter(({ name }) => EMOJI.test(textOf(name)));

/** Spent and taken back: each some seconds. */
export const timelogs = (value: unknown): CleanRow[] =>
  rowsIn(value).filter(
    ({ time_spent: spent }) => typeof spent === 'number' && spent !== 0 && Math.abs(spent) <= LARGEST,
  );
