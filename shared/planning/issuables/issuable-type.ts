import { raw } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';

/**
 * Issues, merge requests and epics are kinds of one thing that has assignees, labels, subscriptions and time. What is
 * the same of all is written once over this type; each kind has tables of its own, named after it, with one column that
 * names the record.
 */
export interface IssuableType extends LabelledType {
  readonly kind: 'issue' | 'merge_request';
  readonly assignees: Sql;
  readonly timelogs: Sql;
  readonly mentions: Sql;
}

/**
 * The tables of a kind as typed queries name them. All kinds have the columns that those of issues have, so that these
 * names stand for whichever kind it is; `record_id` is the column that names the record, `container_id` that of its project or
 * group.
 */
const tablesOfIssues = {
  records: 'issues',
  record_id: 'issue_id',
  container_id: 'project_id',
  labels: 'issue_labels',
  subscriptions: 'issue_subscriptions',
  awards: 'issue_award_emojis',
  assignees: 'issue_assignees',
  timelogs: 'issue_timelogs',
  mentions: 'issue_mentions',
} as const;
type Tables = typeof tablesOfIssues;

const tablesOf = (kind: LabelledType['kind'], container: string) =>
  Object.fromEntries(
    Object.entries({ ...tablesOfIssues, container_id: container }).map(([key, name]) => [
      key,
      name.replace(/^issue/, kind),
    ]),
  ) as unknown as Tables;

/** What also holds of epics, on which nobody works, and which lie in groups. */
export interface LabelledType {
  readonly kind: 'issue' | 'merge_request' | 'epic';
  readonly tables: Tables;
  /** The table of its records. */
  readonly table: Sql;
  /** Names the record in the tables below. */
  readonly column: Sql;
  /** Names the project of the record there, or the group. */
  readonly place: Sql;
  readonly labels: Sql;
  readonly subscriptions: Sql;
  readonly awards: Sql;
}

const labelledType = <K extends LabelledType['kind']>(kind: K, place: 'project_id' | 'namespace_id') => ({
  kind,
  tables: tablesOf(kind, place),
  table: raw(`${kind}s`),
  column: raw(`${kind}_id`),
  place: raw(place),
  labels: raw(`${kind}_labels`),
  subscriptions: raw(`${kind}_subscriptions`),
  awards: raw(`${kind}_award_emojis`),
});

const issuableType = (kind: IssuableType['kind']): IssuableType => ({
  ...labelledType(kind, 'project_id'),
  kind,
  assignees: raw(`${kind}_assignees`),
  timelogs: raw(`${kind}_timelogs`),
  mentions: raw(`${kind}_mentions`),
});

export const issueType = issuableType('issue');
export const mergeRequestType = issuableType('merge_request');

export const epicType: LabelledType = labelledType('epic', 'namespace_id');

/** Of an issue or merge request, what rows beside it are written by. */
export interface IssuableRef {
  readonly id: number;
  readonly project_id: number;
}

/** The same of any issuable: of epics with their group. */
export type LabelledRef = IssuableRef | { readonly id: number; readonly namespace_id: number };

/** The id that stands in the column `place`. */
export const placeIdOf = (ref: LabelledRef): number => ('project_id' in ref ? ref.project_id : ref.namespace_id);
