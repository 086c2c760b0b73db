import { Invalid, invalidSentences } from '../../core/values/errors.js';
import { requireUrls } from '../../planning/badges/badge-placeholders.js';
import { requireEpicValues } from '../../planning/epics/epic-values.js';
import { colorCode } from '../../planning/labels/label-colors.js';
import { LEVEL_NAMES } from '../../tenancy/members/member.rules.js';
import { BadRow } from './clean-row.js';
import type { CleanRow } from './clean-row.js';
import { projectRowRules } from './project-row-rules.js';
import {
  keptIid,
  label,
  labelLinks,
  labelOrNull,
  MAX_TEXT,
  MAX_TITLE,
  notes,
  requireShort,
  requireText,
  rowsIn,
  textOf,
} from './row-checks.js';

/** Of epics that have none. */
const EPIC_COLOR = '#1068bf';

function milestone(row: CleanRow): CleanRow {
  requireText(row, 'title');
  requireShort(row, 'description', MAX_TEXT);
  const { start_date: start, due_date: due } = row as Record<string, string | null>;
  if (start && due && due <= start) throw new BadRow('must be greater than start date', ['due_date']);
  return { ...row, title: textOf(row.title).trim(), state: row.state ?? 'active', iid: keptIid(row.iid) };
}

function badge(row: CleanRow): CleanRow {
  const urls = { link_url: textOf(row.link_url).trim(), image_url: textOf(row.image_url).trim() };
  requireUrls(urls);
  requireShort(row, 'name', MAX_TITLE);
  return { ...row, ...urls };
}

function board(row: CleanRow): CleanRow {
  requireText(row, 'name');
  const { weight } = row;
  const kept = typeof weight === 'number' && weight >= 0 && weight < 2 ** 31 ? weight : null;
  const lists = rowsIn(row.lists).map((list) => ({ ...list, label: labelOrNull(list.label) }));
  const labels = rowsIn(row.labels).flatMap((one) => labelOrNull(one) ?? []);
  return { ...row, name: textOf(row.name).trim(), weight: kept, lists, labels };
}

function member(row: CleanRow): CleanRow {
  if (!Object.hasOwn(LEVEL_NAMES, String(row.access_level))) throw new BadRow('is no role', ['access_level']);
  return row;
}

function epic(row: CleanRow): CleanRow {
  const color = row.color === null ? EPIC_COLOR : textOf(row.color);
  requireText(row, 'title');
  requireEpicValues({ title: textOf(row.title), description: row.description as string | null, color });
  return {
    ...row,
    title: textOf(row.title).trim(),
    color: colorCode(color),
    state: row.state ?? 'opened',
    iid: keptIid(row.iid),
    label_links: labelLinks(row.label_links),
    notes: notes(row.notes),
  };
}

const rules: Readonly<Record<string, (row: CleanRow) => CleanRow>> = {
  labels: label,
  milestones: milestone,
  badges: badge,
  project_badges: badge,
  boards: board,
  members: member,
  project_members: member,
  epics: epic,
  ...projectRowRules,
};

/**
 * A row as it is stored, by the rules that what is made by hand has to follow as well.
 * @throws BadRow for what breaks them
 */
export function ruledRow(relation: string, row: CleanRow): CleanRow {
  try {
    return rules[relation]?.(row) ?? row;
  } catch (error) {
    if (error instanceof Invalid) throw new BadRow(invalidSentences(error.detail).join(', '));
    throw error;
  }
}
