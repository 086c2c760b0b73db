import cronstrue from 'cronstrue';
import type { Tone } from '../../../ui/State.js';
import { formatDuration } from '../../../ui/format-time.js';
import { ApiProblem } from '../../../data/problem.js';
import type { Action } from './changes.js';

/** A description of a cron expression; null if it cannot be parsed. */
export function formatCron(cron: string): string | null {
  try {
    return cronstrue.toString(cron.trim(), { use24HourTimeFormat: true, verbose: false });
  } catch {
    return null;
  }
}

export type Outcome =
  | 'on_time'
  | 'late'
  | 'played'
  | 'pending'
  | 'failed'
  | 'missed'
  | 'skipped'
  | 'filtered'
  | 'config_error';

/** Labels and tones of the outcomes. */
export const OUTCOMES: Readonly<Record<Outcome, { label: string; tone: Tone }>> = {
  on_time: { label: 'on time', tone: 'good' },
  late: { label: 'late', tone: 'warn' },
  played: { label: 'started manually', tone: 'good' },
  pending: { label: 'starting', tone: 'quiet' },
  failed: { label: 'failed', tone: 'bad' },
  missed: { label: 'missed', tone: 'warn' },
  skipped: { label: 'skipped', tone: 'quiet' },
  filtered: { label: 'no jobs by its rules', tone: 'quiet' },
  config_error: { label: 'configuration error', tone: 'bad' },
};

/** Short reasons why runs did not fire. */
const CAUSES: Readonly<Record<string, string>> = {
  service_down: 'the service was down',
  inactive: 'the schedule is inactive',
  daily_limit: 'daily run limit reached',
  owner_missing: 'no owner',
  owner_blocked: 'the owner is blocked',
  owner_without_rights: 'the owner lacks permission',
  ref_protected: 'the branch or tag is protected',
  ref_missing: "the branch or tag doesn't exist",
  pipelines_disabled: 'pipelines are turned off',
  project_archived: 'the project is archived',
  project_marked: 'the project is being deleted',
  project_importing: 'the repository is being imported',
  values_unreadable: "a variable can't be decrypted",
  never_runs: 'no matching times',
  not_started: "the service couldn't start it",
};

interface Fate {
  outcome: Outcome;
  lateness_ms: number | null;
  cause: string | null;
}

/** The outcome of a due time as text: `on time, 12 ms`, `failed: the branch or tag is gone`. */
export function formatOutcome({ outcome, lateness_ms: late, cause }: Fate): string {
  const { label } = OUTCOMES[outcome];
  if (outcome === 'on_time' || outcome === 'late')
    return outcome === 'late' ? `${formatDuration(late ?? 0)} late` : `on time, ${formatDuration(late ?? 0)}`;
  return cause === null ? label : `${label}: ${CAUSES[cause] ?? cause}`;
}

/** What becomes of runs missed while the service was down. */
export const MISSED_POLICIES = {
  last: 'The latest missed run starts after recovery; earlier ones are recorded as missed.',
  all: 'All missed runs start after recovery.',
  skip: 'No missed runs start; all are recorded as missed.',
} as const;
export type MissedPolicy = keyof typeof MISSED_POLICIES;

export const formatScheduleCount = (count: number): string =>
  count === 1 ? '1 schedule' : `${count.toLocaleString('en')} schedules`;

/** `refs/heads/main` as people say it. */
export const formatRef = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '');

export const isTag = (ref: string): boolean => ref.startsWith('refs/tags/');

const FORBIDDEN = 403;

const NEEDED = "the Developer role in a project that isn't archived and has pipelines turned on";

/** Why an action on a schedule failed: for missing permissions the API only responds that it is forbidden. */
export function explainError(action: Action | 'move', error: Error, own: boolean): string {
  if (!(error instanceof ApiProblem)) return error.message;
  if (error.status === FORBIDDEN && /^403 Forbidden$/.test(error.message)) {
    if (action === 'take') return 'only project Maintainers can take ownership.';
    if (action === 'play') return `you need ${NEEDED}.`;
    return own ? `you need ${NEEDED}.` : 'only the owner can change it; a Maintainer can take ownership first.';
  }
  return [error.message, error.hint].filter(Boolean).join('. ');
}
