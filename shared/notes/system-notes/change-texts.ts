import type { MergeRequestChange } from '../../merge-requests/merge-requests.events.js';
import type { EpicChange, IssuableChange } from '../../planning/issuables/issuable-changes.js';
import { humanDuration } from '../../planning/issuables/duration.js';

/** A system note: its text, and its action, identified by the icon name. */
export interface SystemNote {
  readonly action: string;
  readonly text: string;
}

const SEVERITIES: Readonly<Record<string, string>> = {
  unknown: 'Unknown',
  low: 'Low - S4',
  medium: 'Medium - S3',
  high: 'High - S2',
  critical: 'Critical - S1',
};

const months = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const people = new Intl.ListFormat('en-US', { type: 'conjunction' });

/** `2026-01-05` as `January 5, 2026`. */
const writtenOut = (day: string): string => months.format(new Date(`${day}T00:00:00Z`));

const mentions = (users: readonly { username: string }[]): string =>
  people.format(users.map(({ username }) => `@${username}`));

function assigned({ added, removed }: Extract<IssuableChange, { attribute: 'assignees' }>): string {
  const parts = [
    ...(added.length > 0 ? [`assigned to ${mentions(added)}`] : []),
    ...(removed.length > 0 ? [`unassigned ${mentions(removed)}`] : []),
  ];
  return parts.join(' and ');
}

function timeSpent({ seconds, spent_on: day }: Extract<IssuableChange, { attribute: 'time_spent' }>): string {
  if (seconds === null) return 'removed time spent';
  return `${seconds < 0 ? 'subtracted' : 'added'} ${humanDuration(Math.abs(seconds))} of time spent at ${day}`;
}

const dated = (what: string, day: string | null): string =>
  day === null ? `removed ${what}` : `changed ${what} to ${writtenOut(day)}`;

/**
 * The text for a change to an issue or another issuable (discussions-and-notes.md section 8).
 * @param noun the changed record, as in "the discussion in this issue"
 * @returns null for changes covered by resource events: each change is reported only once
 */
export function noteOfChange(change: IssuableChange, noun: string): SystemNote | null {
  switch (change.attribute) {
    case 'title':
      return { action: 'title', text: `changed title from **{-${change.from}-}** to **{+${change.to}+}**` };
    case 'description':
      return { action: 'description', text: 'changed the description' };
    case 'assignees':
      return { action: 'assignee', text: assigned(change) };
    case 'confidential':
      return change.to
        ? { action: 'confidential', text: `made the ${noun} confidential` }
        : { action: 'visible', text: `made the ${noun} visible to everyone` };
    case 'discussion_locked':
      return change.to
        ? { action: 'locked', text: `locked the discussion in this ${noun}` }
        : { action: 'unlocked', text: `unlocked the discussion in this ${noun}` };
    case 'due_date':
      return { action: 'start_date_or_due_date', text: dated('due date', change.to) };
    case 'start_date':
      return { action: 'start_date_or_due_date', text: dated('start date', change.to) };
    case 'issue_type':
      return { action: 'issue_type', text: `changed type from ${change.from} to ${change.to}`.replaceAll('_', ' ') };
    case 'severity':
      return { action: 'severity', text: `changed the severity to **${SEVERITIES[change.to] ?? change.to}**` };
    case 'time_estimate':
      return {
        action: 'time_tracking',
        text: change.to === 0 ? 'removed time estimate' : `changed time estimate to ${humanDuration(change.to)}`,
      };
    case 'time_spent':
      return { action: 'time_tracking', text: timeSpent(change) };
    case 'state':
    case 'labels':
    case 'milestone':
    case 'weight':
      return null;
  }
}

const reviewed = ({ added, removed }: Extract<MergeRequestChange, { attribute: 'reviewers' }>): string =>
  [
    ...(added.length > 0 ? [`requested review from ${mentions(added)}`] : []),
    ...(removed.length > 0 ? [`removed review request for ${mentions(removed)}`] : []),
  ].join(' and ');

/** The same of a merge request. */
export function noteOfMergeRequestChange(change: MergeRequestChange): SystemNote | null {
  switch (change.attribute) {
    case 'reviewers':
      return { action: 'reviewer', text: reviewed(change) };
    case 'target_branch':
      return { action: 'branch', text: `changed target branch from \`${change.from}\` to \`${change.to}\`` };
    case 'draft':
      return { action: 'title', text: `marked this merge request as **${change.to ? 'draft' : 'ready'}**` };
    case 'squash':
    case 'force_remove_source_branch':
    case 'allow_collaboration':
      return null;
    default:
      return noteOfChange(change, 'merge request');
  }
}

/** The same for an epic. Changes of its position in the tree and its color are not reported. */
export function noteOfEpicChange(change: EpicChange): SystemNote | null {
  switch (change.attribute) {
    case 'fixed_start_date':
      return noteOfChange({ ...change, attribute: 'start_date' }, 'epic');
    case 'fixed_due_date':
      return noteOfChange({ ...change, attribute: 'due_date' }, 'epic');
    case 'parent':
    case 'color':
      return null;
    default:
      return noteOfChange(change, 'epic');
  }
}
