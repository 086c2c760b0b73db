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

export type Outcome = 'on_time' | 'late' | 'played' | 'pending' | 'failed' | 'missed' | 'skipped';

/** Labels and tones of the outcomes. */
export const OUTCOMES: Readonly<Record<Outcome, { label: string; tone: Tone }>> = {
  on_time: { label: 'on time', tone: 'good' },
  late: { label: 'late', tone: 'warn' },
  played: { label: 'started by hand', tone: 'good' },
  pending: { label: 'is being started', tone: 'quiet' },
  failed: { label: 'failed', tone: 'bad' },
  missed: { label: 'missed', tone: 'warn' },
  skipped: { label: 'skipped', tone: 'quiet' },
};

/** Short reasons why runs did not fire. */
const CAUSES: Readonly<Record<string, string>> = {
  service_down: 'the service was down',
  inactive: 'the schedule is inactive',
  daily_limit: 'the limit of runs a day',
  owner_missing: 'nobody owns it',
  owner_blocked: 'its owner is blocked',
  owner_without_rights: 'its owner lacks the right',
  ref_protected: 'the branch or tag is protected',
  ref_missing: 'the branch or tag is gone',
  pipelines_disabled: 'pipelines are switched off',
  project_archived: 'the project is archived',
  project_marked: 'the project is being deleted',
  project_importing: 'the repository is being imported',
  values_unreadable: 'a variable cannot be decrypted',
  never_runs: 'its times never come',
  not_started: 'the service could not start it',
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
  last: 'The newest missed run fires once the service is back; earlier ones are recorded as missed.',
  all: 'Each missed run fires once the service is back.',
  skip: 'No missed run fires; each is recorded as missed.',
} as const;
export type MissedPolicy = keyof typeof MISSED_POLICIES;

export const formatScheduleCount = (count: number): string =>
  count === 1 ? '1 schedule' : `${count.toLocaleString('en')} schedules`;

/** `refs/heads/main` as people say it. */
export const formatRef = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '');

export const isTag = (ref: string): boolean => ref.startsWith('refs/tags/');

const FORBIDDEN = 403;

const NEEDED = 'the role of Developer in its project, with pipelines switched on and the project not archived';

/** Why an action on a schedule failed: for missing permissions the API only responds that it is forbidden. */
export function explainError(action: Action | 'move', error: Error, own: boolean): string {
  if (!(error instanceof ApiProblem)) return error.message;
  if (error.status === FORBIDDEN && /^403 Forbidden$/.test(error.message)) {
    if (action === 'take') return 'it is taken over by Maintainers of its project.';
    if (action === 'play') return `playing it needs ${NEEDED}.`;
    return own ? `changing it needs ${NEEDED}.` : 'its owner alone changes it; a Maintainer may take it over first.';
  }
  return [error.message, error.hint].filter(Boolean).join('. ');
}
