import { Invalid } from '../../core/values/errors.js';
import { requireUrls } from '../../planning/badges/badge-placeholders.js';
import { requireEpicValues } from '../../planning/epics/epic-values.js';
import { colorCode } from '../../planning/labels/label-colors.js';
import { readLabelValues } from '../../planning/labels/label.rules.js';
import { LEVEL_NAMES } from '../../tenancy/members/member.rules.js';
import { BadRow } from './clean-row.js';
import type { CleanRow } from './clean-row.js';

const MAX_TITLE = 255;
const MAX_TEXT = 1_000_000;
/** Of labels that have none. */
const LABEL_COLOR = '#6699cc';
/** The largest number that is retained: above it, too few would remain for later records. */
const LAST_IID = 1_000_000_000;

export const getRowText = (value: unknown): string => (typeof value === 'string' ? value : '');
const isTooLong = (text: string, most: number) => text.length > most && [...text].length > most;

export function requireText(row: CleanRow, name: string, most = MAX_TITLE): void {
  const text = getRowText(row[name]);
  if (text.trim() === '') throw new BadRow("can't be blank", [name]);
  if (isTooLong(text, most)) throw new BadRow(`is too long (maximum is ${most} characters)`, [name]);
}

export function requireShort(row: CleanRow, name: string, most: number): void {
  if (isTooLong(getRowText(row[name]), most)) throw new BadRow(`is too long (maximum is ${most} characters)`, [name]);
}

export const validIid = (iid: unknown): number | null =>
  typeof iid === 'number' && iid >= 1 && iid <= LAST_IID ? iid : null;

function label(row: CleanRow): CleanRow {
  const value = { title: getRowText(row.title), color: getRowText(row.color) || LABEL_COLOR };
  return { ...row, ...readLabelValues({ ...value, description: row.description as string | null }) };
}

/** A label as embedded in a labeled record; null if it is not a valid label. */
function labelOrNull(value: unknown): CleanRow | null {
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
  ((value ?? []) as CleanRow[]).filter(
    ({ note }) => getRowText(note).trim() !== '' && !isTooLong(getRowText(note), MAX_TEXT),
  );

const LARGEST = 2 ** 31 - 1;
const EMOJI = /^[a-z0-9_+-]{1,64}$/;

export const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= LARGEST;
export const rowsIn = (value: unknown) => (value ?? []) as CleanRow[];

export const awards = (value: unknown): CleanRow[] => rowsIn(value).filter(({ name }) => EMOJI.test(getRowText(name)));

/** Time spent and subtracted, in seconds, never zero. */
export const timelogs = (value: unknown): CleanRow[] =>
  rowsIn(value).filter(
    ({ time_spent: spent }) => typeof spent === 'number' && spent !== 0 && Math.abs(spent) <= LARGEST,
  );

/** Of epics that have none. */
const EPIC_COLOR = '#1068bf';

function milestone(row: CleanRow): CleanRow {
  requireText(row, 'title');
  requireShort(row, 'description', MAX_TEXT);
  const { start_date: start, due_date: due } = row as Record<string, string | null>;
  if (start && due && due <= start) throw new BadRow('must be greater than start date', ['due_date']);
  return { ...row, title: getRowText(row.title).trim(), state: row.state ?? 'active', iid: validIid(row.iid) };
}

function badge(row: CleanRow): CleanRow {
  const urls = { link_url: getRowText(row.link_url).trim(), image_url: getRowText(row.image_url).trim() };
  requireUrls(urls);
  requireShort(row, 'name', MAX_TITLE);
  return { ...row, ...urls };
}

function board(row: CleanRow): CleanRow {
  requireText(row, 'name');
  const { weight } = row;
  const validWeight = typeof weight === 'number' && weight >= 0 && weight < 2 ** 31 ? weight : null;
  const lists = rowsIn(row.lists).map((list) => ({ ...list, label: labelOrNull(list.label) }));
  const labels = rowsIn(row.labels).flatMap((one) => labelOrNull(one) ?? []);
  return { ...row, name: getRowText(row.name).trim(), weight: validWeight, lists, labels };
}

function member(row: CleanRow): CleanRow {
  if (!Object.hasOwn(LEVEL_NAMES, String(row.access_level))) throw new BadRow('is no role', ['access_level']);
  return row;
}

function epic(row: CleanRow): CleanRow {
  const color = row.color === null ? EPIC_COLOR : getRowText(row.color);
  requireText(row, 'title');
  requireEpicValues({ title: getRowText(row.title), description: row.description as string | null, color });
  return {
    ...row,
    title: getRowText(row.title).trim(),
    color: colorCode(color),
    state: row.state ?? 'opened',
    iid: validIid(row.iid),
    label_links: labelLinks(row.label_links),
    notes: notes(row.notes),
  };
}

/** Rules of what groups have, and what groups and projects both have, by relation. */
export const rowRules: Readonly<Record<string, (row: CleanRow) => CleanRow>> = {
  labels: label,
  milestones: milestone,
  badges: badge,
  project_badges: badge,
  boards: board,
  members: member,
  project_members: member,
  epics: epic,
};
