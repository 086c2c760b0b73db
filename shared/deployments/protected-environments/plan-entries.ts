import { NotFound } from '../../core/values/errors.js';
import { MAX_ENTRIES, SELECTORS } from './entry-params.js';
import type { EnvironmentEntryInput } from './entry-params.js';
import type { EntryKind, EnvironmentEntry, EnvironmentEntryRecord } from './environment-entries.js';

type StoredEntry = EnvironmentEntry & { id: number };

/** What becomes of the entries of one kind. */
export interface EntryPlan {
  removed: number[];
  changed: StoredEntry[];
  added: EnvironmentEntry[];
  /** Validation errors of the entries (protected-environments.md section 4). */
  problems: string[];
}

const LABELS: Record<EntryKind, string> = {
  deploy_access_levels: 'Deploy access levels',
  approval_rules: 'Approval rules',
};
const MAX_APPROVALS = 5;

const NEW: EnvironmentEntry = {
  access_level: null,
  user_id: null,
  group_id: null,
  group_inheritance_type: 0,
  required_approvals: 1,
};

/** What of an entry is left out stays as it is. */
function edited<E extends EnvironmentEntry>(entry: E, change: EnvironmentEntryInput): E {
  const values = Object.keys(NEW).map((key) => [key, change[key as keyof EnvironmentEntry]]);
  return { ...entry, ...Object.fromEntries(values.filter(([, value]) => value !== undefined)) };
}

function getProblems(entry: EnvironmentEntry): string[] {
  const problems: string[] = [];
  if (SELECTORS.filter((name) => entry[name] !== null).length !== 1)
    problems.push('base Exactly one of access_level, group_id, user_id must be present');
  if (entry.required_approvals < 1) problems.push('required approvals must be greater than or equal to 1');
  if (entry.required_approvals > MAX_APPROVALS)
    problems.push(`required approvals must be less than or equal to ${MAX_APPROVALS}`);
  return problems;
}

const isSame = (a: EnvironmentEntry, b: EnvironmentEntry) =>
  Object.keys(NEW).every((key) => a[key as keyof EnvironmentEntry] === b[key as keyof EnvironmentEntry]);

/** Each once, and none that is there already: a request that is repeated adds nothing. */
const withoutRepeats = (added: readonly EnvironmentEntry[], remaining: readonly EnvironmentEntry[]) =>
  added.filter(
    (entry, index) =>
      !remaining.some((other) => isSame(other, entry)) && added.findIndex((other) => isSame(other, entry)) === index,
  );

/** Entries that are to be changed, each as it is after the last of its changes. */
function getChanges(
  existing: readonly EnvironmentEntryRecord[],
  input: readonly EnvironmentEntryInput[],
): Map<number, StoredEntry> {
  const changed = new Map<number, StoredEntry>();
  for (const change of input) {
    const before = changed.get(change.id ?? 0) ?? existing.find(({ id }) => id === change.id);
    if (before) changed.set(before.id, edited(before, change));
  }
  return changed;
}

function countProblems(kind: EntryKind, left: number): string[] {
  // An environment that no user may deploy to would be a mistake rather than a protection.
  if (kind === 'deploy_access_levels' && left === 0) return ['is too short (minimum is 1 character)'];
  return left > MAX_ENTRIES ? [`is too long (maximum is ${MAX_ENTRIES} characters)`] : [];
}

/**
 * Plans the changes that a request makes to the entries of one kind: those with `id` are changed, those with `_destroy`
 * are removed, all others are added. If an entry is listed twice, the later values apply, and removal takes precedence.
 * @param qualifies whether the entry's user or group is eligible; ineligible entries are silently dropped
 * @throws NotFound for an `id` that is none of the existing ones
 */
export function planEntries(
  kind: EntryKind,
  existing: readonly EnvironmentEntryRecord[],
  input: readonly EnvironmentEntryInput[],
  qualifies: (entry: EnvironmentEntryInput) => boolean,
): EntryPlan {
  const ids = new Set(existing.map(({ id }) => id));
  if (input.some(({ id }) => id !== undefined && !ids.has(id))) throw new NotFound();
  const removed = new Set(input.flatMap(({ id, _destroy: gone }) => (gone === true && id !== undefined ? [id] : [])));
  const entries = input.filter((entry) => entry._destroy !== true && qualifies(entry));
  const changes = getChanges(existing, entries);
  const remaining = existing.filter(({ id }) => !removed.has(id)).map((entry) => changes.get(entry.id) ?? entry);
  const fresh = entries.filter(({ id }) => id === undefined).map((entry) => edited(NEW, entry));
  const added = withoutRepeats(fresh, remaining);
  const changed = remaining.filter(({ id }) => changes.has(id));
  const problems = [
    ...countProblems(kind, remaining.length + added.length),
    ...[...changed, ...added].flatMap(getProblems),
  ];
  return {
    removed: [...removed],
    changed,
    added,
    problems: [...new Set(problems)].map((text) => `${LABELS[kind]} ${text}`),
  };
}
