import { registerEnumType } from 'type-graphql';
import { MERGE_REQUEST_ORDERS } from '../../../shared/merge-requests/merge-requests/merge-request-order.js';
import { DETAILED_MERGE_STATUSES } from '../../../shared/merge-requests/merge-requests/detailed-merge-status.js';

export const MergeRequestState = {
  opened: 'opened',
  closed: 'closed',
  locked: 'locked',
  merged: 'merged',
  all: 'all',
} as const;
registerEnumType(MergeRequestState, {
  name: 'MergeRequestState',
  description: 'State of a merge request.',
  valuesConfig: {
    opened: { description: 'Merge request is open.' },
    closed: { description: 'Merge request was closed without being merged.' },
    locked: { description: 'Merge request is being merged.' },
    merged: { description: 'Merge request was merged.' },
    all: { description: 'Merge requests in any state.' },
  },
});

export const MergeStatus = {
  UNCHECKED: 'unchecked',
  CHECKING: 'checking',
  CAN_BE_MERGED: 'can_be_merged',
  CANNOT_BE_MERGED: 'cannot_be_merged',
  CANNOT_BE_MERGED_RECHECK: 'cannot_be_merged_recheck',
} as const;
registerEnumType(MergeStatus, {
  name: 'MergeStatus',
  description: 'Merge status of a merge request, based on conflicts between its branches.',
  valuesConfig: {
    UNCHECKED: { description: 'Branches have not been checked for conflicts.' },
    CHECKING: { description: 'Branches are being checked for conflicts.' },
    CAN_BE_MERGED: { description: 'There is no conflict between the branches.' },
    CANNOT_BE_MERGED: { description: 'There is a conflict between the branches.' },
    CANNOT_BE_MERGED_RECHECK: {
      description: 'There was a conflict between the branches, and they are being rechecked.',
    },
  },
});

/** Statuses whose GraphQL name differs from the REST name. */
const RENAMED: Readonly<Record<string, string>> = {
  merge_request_blocked: 'BLOCKED_STATUS',
  status_checks_must_pass: 'EXTERNAL_STATUS_CHECKS',
  jira_association_missing: 'JIRA_ASSOCIATION',
  security_policy_violations: 'SECURITY_POLICIES_VIOLATIONS',
  title_regex: 'TITLE_NOT_MATCHING',
};
const statusName = (status: string): string => RENAMED[status] ?? status.toUpperCase();

/** GraphQL name of a status to its REST value. */
export const DetailedMergeStatus: Record<string, string> = Object.fromEntries(
  DETAILED_MERGE_STATUSES.map((status) => [statusName(status), status]),
);
registerEnumType(DetailedMergeStatus, {
  name: 'DetailedMergeStatus',
  description: 'Detailed merge status: mergeable, or the reason the merge request cannot be merged now.',
  valuesConfig: Object.fromEntries(
    DETAILED_MERGE_STATUSES.map((status) => [
      statusName(status),
      {
        description: status === 'mergeable' ? 'Merge request can be merged.' : `Status \`${status}\` of the REST API.`,
      },
    ]),
  ),
});

const both = MERGE_REQUEST_ORDERS.flatMap((column) => [`${column}_asc`, `${column}_desc`]);
/** `created` and `updated` also in lower case, as older clients say it. */
const older = ['created_asc', 'created_desc', 'updated_asc', 'updated_desc'] as const;
const sortName = (sort: string): string => sort.replace(/^(created|updated)_at_/, '$1_').toUpperCase();

/** Name of an order to `column_direction`. */
export const MergeRequestSort: Record<string, string> = {
  ...Object.fromEntries(both.map((sort) => [sortName(sort), sort])),
  ...Object.fromEntries(older.map((sort) => [sort, sort.replace('_', '_at_')])),
};

registerEnumType(MergeRequestSort, {
  name: 'MergeRequestSort',
  description: 'Sort orders of merge requests.',
  valuesConfig: {
    ...Object.fromEntries(
      both.map((sort) => {
        const [, column = '', direction] = /^(\w+)_(asc|desc)$/.exec(sort) ?? [];
        return [
          sortName(sort),
          { description: `Sorts by ${column.replaceAll('_', ' ')} in ${direction}ending order.` },
        ];
      }),
    ),
    ...Object.fromEntries(
      older.map((sort) => [
        sort,
        {
          description: `Sorts by time ${sort.replace('_', ', in ')}ending order.`,
          deprecationReason: `Use \`${sort.toUpperCase()}\`. Deprecated in Service 13.5.`,
        },
      ]),
    ),
  },
});
