/**
 * Issues, merge requests and epics are kinds of one thing that has assignees, labels, subscriptions and time. What is
 * the same of all is written once over this type; each kind has tables of its own, named after it, with one column that
 * names the record.
 */
export interface IssuableType extends LabelledType {
  readonly kind: 'issue' | 'merge_request';
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
  ) as Tables;

/** What also holds of epics, on which nobody works, and which lie in groups. */
export interface LabelledType {
  readonly kind: 'issue' | 'merge_request' | 'epic';
  readonly tables: Tables;
}

export const issueType: IssuableType = { kind: 'issue', tables: tablesOf('issue', 'project_id') };
export const mergeRequestType: IssuableType = {
  kind: 'merge_request',
  tables: tablesOf('merge_request', 'project_id'),
};

export const epicType: LabelledType = { kind: 'epic', tables: tablesOf('epic', 'namespace_id') };

/** Of an issue or merge request, what rows beside it are written by. */
export interface IssuableRef {
  readonly id: number;
  readonly project_id: number;
}

/** The same of any issuable: of epics with their group. */
export type LabelledRef = IssuableRef | { readonly id: number; readonly namespace_id: number };

/** The id of the project or group of a record. */
export const containerIdOf = (ref: LabelledRef): number => ('project_id' in ref ? ref.project_id : ref.namespace_id);
