import { isFullId, isValidFilePath } from '../../git/index.js';
import { isDraftTitle } from '../../merge-requests/merge-request-edits/merge-request-values.js';
import { countTasks } from '../../planning/issuables/task-lists.js';
import { requireIssueValues } from '../../planning/issuables/issue-values.js';
import { BadRow } from './clean-row.js';
import type { CleanRow } from './clean-row.js';
import {
  awards,
  isCount,
  validIid,
  labelLinks,
  notes,
  requireText,
  rowsIn,
  getRowText,
  timelogs,
} from './row-rules.js';
import type { Position } from '../../notes/notes/position.js';

const LARGEST = 2 ** 31 - 1;
/** Of a picture. */
const MOST_PIXELS = 1_000_000;
const MOST_PATH = 4096;
const LINE_CODE = /^[0-9a-f]{40}_\d{1,10}_\d{1,10}$/;

const isPath = (path: string) => Buffer.byteLength(path) <= MOST_PATH && isValidFilePath(path);
const getLine = (value: unknown): number | null =>
  typeof value === 'number' && value >= 1 && value <= LARGEST ? value : null;

function lineEnd(value: CleanRow | null) {
  if (!value || !LINE_CODE.test(getRowText(value.line_code))) return null;
  return {
    line_code: getRowText(value.line_code),
    type: value.type as 'new' | 'old' | null,
    old_line: getLine(value.old_line),
    new_line: getLine(value.new_line),
  };
}

function lineRange(value: CleanRow | null) {
  const start = lineEnd((value?.start ?? null) as CleanRow | null);
  const end = lineEnd((value?.end ?? null) as CleanRow | null);
  return start && end ? { start, end } : null;
}

/** A diff position as stored, from the cleaned attributes; null if it is invalid. */
function diffPosition(value: CleanRow | null): Position | null {
  if (!value) return null;
  const [base_sha, start_sha, head_sha] = [
    getRowText(value.base_sha),
    getRowText(value.start_sha),
    getRowText(value.head_sha),
  ];
  const [old_path, new_path] = [getRowText(value.old_path), getRowText(value.new_path)];
  if (![base_sha, start_sha, head_sha].every((sha) => isFullId(sha)) || !isPath(old_path) || !isPath(new_path))
    return null;
  const common = { base_sha, start_sha, head_sha, old_path, new_path };
  if (value.position_type === 'file') return { ...common, position_type: 'file' };
  if (value.position_type === 'image') {
    const { width, height, x, y } = value as Record<string, number>;
    const fits = [width, height, x, y].every((one) => typeof one === 'number' && one >= 0 && one <= MOST_PIXELS);
    return fits ? ({ ...common, position_type: 'image', width, height, x, y } as Position) : null;
  }
  const [old_line, new_line] = [getLine(value.old_line), getLine(value.new_line)];
  if (value.position_type !== 'text' || (old_line === null && new_line === null)) return null;
  const line_range = lineRange(value.line_range as CleanRow | null);
  return { ...common, position_type: 'text', old_line, new_line, line_range };
}

const MOST_TEXT = 1_000_000;
const REVIEWS = ['unreviewed', 'reviewed', 'requested_changes', 'approved', 'unapproved', 'review_started'];

const sha = (value: unknown): string | null => (isFullId(getRowText(value)) ? getRowText(value) : null);

/** Versions that name their commits. */
const versions = (value: unknown): CleanRow[] =>
  rowsIn(value)
    .map((one) => ({ ...one, head_sha: sha(one.head_sha), start_sha: sha(one.start_sha), base_sha: sha(one.base_sha) }))
    .filter((one) => one.head_sha !== null && one.start_sha !== null);

function suggestions(value: unknown): CleanRow[] {
  const fit = rowsIn(value).filter(
    (one) =>
      [one.relative_order, one.lines_above, one.lines_below].every((count) => isCount(count)) &&
      [one.from_content, one.to_content].every((text) => typeof text === 'string' && text.length <= MOST_TEXT),
  );
  return fit.map((one) => ({ ...one, applied_sha: sha(one.applied_sha) }));
}

function diffNote(note: CleanRow): CleanRow {
  const position = diffPosition(note.position as CleanRow | null);
  return {
    ...note,
    award_emoji: awards(note.award_emoji),
    position,
    original_position: diffPosition(note.original_position as CleanRow | null) ?? position,
    commit_id: sha(note.commit_id),
    suggestions: position ? suggestions(note.suggestions) : [],
  };
}

/** Requires a branch name that git accepts, because no ref could be created otherwise. */
function requireBranch(row: CleanRow, name: string): void {
  requireText(row, name);
  if (/[\s\p{Cc}~^:?*[\\]/u.test(getRowText(row[name]))) throw new BadRow('is no name of a branch', [name]);
}

/** A merge request by the rules for new ones, as far as they do not depend on what its branches are here. */
export function mergeRequestRow(row: CleanRow): CleanRow {
  const title = getRowText(row.title);
  const description = row.description as string | null;
  requireIssueValues({ title, description });
  requireBranch(row, 'source_branch');
  requireBranch(row, 'target_branch');
  if (row.source_is_target !== false && row.source_branch === row.target_branch)
    throw new BadRow("can't be the same as the target branch", ['source_branch']);
  const [current] = row.diff_refs === null ? [] : versions([row.diff_refs]);
  const versionRows = versions(row.merge_request_versions);
  return {
    ...row,
    ...countTasks(description),
    title: title.trim(),
    iid: validIid(row.iid),
    draft: isDraftTitle(title.trim()),
    // One that was being merged is not being merged here.
    state: row.state === 'locked' ? 'opened' : (row.state ?? 'opened'),
    source_is_target: row.source_is_target !== false,
    merge_commit_sha: sha(row.merge_commit_sha),
    squash_commit_sha: sha(row.squash_commit_sha),
    merged_commit_sha: sha(row.merged_commit_sha),
    merge_request_versions: versionRows.length > 0 || !current ? versionRows : [current],
    merge_request_reviewers: rowsIn(row.merge_request_reviewers).map((one) => ({
      ...one,
      state: REVIEWS.includes(getRowText(one.state)) ? one.state : 'unreviewed',
    })),
    time_estimate: isCount(row.time_estimate) ? row.time_estimate : 0,
    timelogs: timelogs(row.timelogs),
    award_emoji: awards(row.award_emoji),
    label_links: labelLinks(row.label_links),
    notes: notes(row.notes).map(diffNote),
  };
}
