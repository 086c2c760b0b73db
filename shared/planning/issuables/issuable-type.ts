import { raw } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';

/**
 * Issues, merge requests and epics are kinds of one thing that has assignees, labels, subscriptions and time. What is
 * the same of all is written once over this type; each kind has tables of its own, named after it, with one column that
 * names the record.
 */
export interface IssuableType {
  readonly kind: 'issue' | 'merge_request';
  /** The table of its records. */
  readonly table: Sql;
  /** Names the record in the tables below. */
  readonly column: Sql;
  readonly assignees: Sql;
  readonly labels: Sql;
  readonly subscriptions: Sql;
  readonly timelogs: Sql;
  readonly awards: Sql;
  readonly mentions: Sql;
}

const issuableType = (kind: IssuableType['kind']): IssuableType => ({
  kind,
  table: raw(`${kind}s`),
  column: raw(`${kind}_id`),
  assignees: raw(`${kind}_assignees`),
  labels: raw(`${kind}_labels`),
  subscriptions: raw(`${kind}_subscriptions`),
  timelogs: raw(`${kind}_timelogs`),
  awards: raw(`${kind}_award_emojis`),
  mentions: raw(`${kind}_mentions`),
});

export const issueType = issuableType('issue');
export const mergeRequestType = issuableType('merge_request');

/** Of any issuable, what rows beside it are written by. */
export interface IssuableRef {
  readonly id: number;
  readonly project_id: number;
}
