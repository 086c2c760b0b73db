/**
 * Issues, merge requests and epics are kinds of issuables with assignees, labels, subscriptions and time tracking.
 * Shared code is written once against this type; each kind has its own tables, named after it, with one column that
 * references the record.
 */
export interface IssuableType extends LabelledType {
  readonly kind: 'issue' | 'merge_request';
}

/**
 * The names that typed queries use for the tables of a kind. All kinds have the same columns as the issue tables, so
 * these names are used as the type for every kind; `record_id` is the column that references the record, `container_id`
 * the one that references its project or group.
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

const getTables = (kind: LabelledType['kind'], container: string) =>
  Object.fromEntries(
    Object.entries({ ...tablesOfIssues, container_id: container }).map(([key, name]) => [
      key,
      name.replace(/^issue/, kind),
    ]),
  ) as Tables;

/** The parts that also apply to epics, which have no assignees and belong to groups. */
export interface LabelledType {
  readonly kind: 'issue' | 'merge_request' | 'epic';
  readonly tables: Tables;
}

export const issueType: IssuableType = { kind: 'issue', tables: getTables('issue', 'project_id') };
export const mergeRequestType: IssuableType = {
  kind: 'merge_request',
  tables: getTables('merge_request', 'project_id'),
};

export const epicType: LabelledType = { kind: 'epic', tables: getTables('epic', 'namespace_id') };

/** The keys of an issue or merge request that related rows are written with. */
export interface IssuableRef {
  readonly id: number;
  readonly project_id: number;
}

/** The same of any issuable: of epics with their group. */
export type LabelledRef = IssuableRef | { readonly id: number; readonly namespace_id: number };

/** The id of the project or group of a record. */
export const getContainerId = (ref: LabelledRef): number => ('project_id' in ref ? ref.project_id : ref.namespace_id);
