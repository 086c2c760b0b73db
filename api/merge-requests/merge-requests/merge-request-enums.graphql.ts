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
  description: 'How far a merge request is.',
  valuesConfig: {
    opened: { description: 'It is open.' },
    closed: { description: 'It was closed without being merged.' },
    locked: { description: 'It is being merged.' },
    merged: { description: 'It was merged.' },
    all: { description: 'Whatever its state.' },
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
  description: 'Whether the branches of a merge request can be merged without a conflict.',
  valuesConfig: {
    UNCHECKED: { description: 'Nobody looked yet.' },
    CHECKING: { description: 'It is looked at.' },
    CAN_BE_MERGED: { description: 'There is no conflict.' },
    CANNOT_BE_MERGED: { description: 'There is a conflict.' },
    CANNOT_BE_MERGED_RECHECK: { description: 'There was a conflict, and it is looked at again.' },
  },
});

/** Statuses whose name in GraphQL is another one than in REST. */
const RENAMED: Readonly<Record<string, string>> = {
  merge_request_blocked: 'BLOCKED_STATUS',
  status_checks_must_pass: 'EXTERNAL_STATUS_CHECKS',
  jira_association_missing: 'JIRA_ASSOCIATION',
  security_policy_violations: 'SECURITY_POLICIES_VIOLATIONS',
  title_regex: 'TITLE_NOT_MATCHING',
};
const statusName = (status: string): string => RENAMED[status] ?? status.toUpperCase();

/** Name of a status to the status as REST tells it. */
export const DetailedMergeStatus: Record<string, string> = Object.fromEntries(
  DETAILED_MERGE_STATUSES.map((status) => [statusName(status), status]),
);
registerEnumType(DetailedMergeStatus, {
  name: 'DetailedMergeStatus',
  description: 'Why a merge request cannot be merged now, or that it can.',
  valuesConfig: Object.fromEntries(
    DETAILED_MERGE_STATUSES.map((status) => [
      statusName(status),
      { description: status === 'mergeable' ? 'It can be merged.' : `REST calls it \`${status}\`.` },
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
  description: 'Orders of merge requests.',
  valuesConfig: {
    ...Object.fromEntries(
      both.map((sort) => {
        const [, column = '', direction] = /^(\w+)_(asc|desc)$/.exec(sort) ?? [];
        return [sortName(sort), { description: `By ${column.replaceAll('_', ' ')}, ${direction}ending.` }];
      }),
    ),
    ...Object.fromEntries(
      older.map((sort) => [
        sort,
        {
          description: `By when it was ${sort.replace('_', ', ')}ending.`,
          deprecationReason: `Use \`${sort.toUpperCase()}\`. Deprecated in Service 13.5.`,
        },
      ]),
    ),
  },
});
