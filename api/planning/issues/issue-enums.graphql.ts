import { registerEnumType } from 'type-graphql';
import { ISSUE_SORTS } from '../../../shared/planning/issue-lists/issue-order.js';

export const IssueState = { opened: 'opened', closed: 'closed', locked: 'locked', all: 'all' } as const;
registerEnumType(IssueState, {
  name: 'IssueState',
  description: 'State of an issue.',
  valuesConfig: {
    opened: { description: 'In the open state.' },
    closed: { description: 'In the closed state.' },
    locked: { description: 'Discussion is locked; issues are never in this state.' },
    all: { description: 'In any state.' },
  },
});

export const IssuableState = { ...IssueState };
registerEnumType(IssuableState, {
  name: 'IssuableState',
  description: 'State of an issue or merge request.',
  valuesConfig: {
    opened: { description: 'In the open state.' },
    closed: { description: 'In the closed state.' },
    locked: { description: 'In the locked state.' },
    all: { description: 'In any state.' },
  },
});

/**
 * Types of issues. Of the public types `test_case` and `requirement`, this enum's contract has a name only for the
 * first.
 */
export const IssueType = {
  ISSUE: 'issue',
  INCIDENT: 'incident',
  TEST_CASE: 'test_case',
  TASK: 'task',
  TICKET: 'ticket',
};
registerEnumType(IssueType, {
  name: 'IssueType',
  description: 'Type of an issue.',
  valuesConfig: {
    ISSUE: { description: 'Issue issue type, for something to do.' },
    INCIDENT: { description: 'Incident issue type, for something that went wrong.' },
    TEST_CASE: { description: 'Test case issue type, for how something is tested.' },
    TASK: { description: 'Task issue type, for a part of something to do.' },
    TICKET: { description: 'Ticket issue type, for a question from outside; there are no tickets yet.' },
  },
});

export const IssuableSeverity = {
  UNKNOWN: 'unknown',
  LOW: 'low',
  MEDIUM: 'medium',
  HIGH: 'high',
  CRITICAL: 'critical',
} as const;
registerEnumType(IssuableSeverity, {
  name: 'IssuableSeverity',
  description: 'Severity of an incident.',
  valuesConfig: {
    UNKNOWN: { description: 'Severity is unknown.' },
    LOW: { description: 'Low severity (S4).' },
    MEDIUM: { description: 'Medium severity (S3).' },
    HIGH: { description: 'High severity (S2).' },
    CRITICAL: { description: 'Critical severity (S1).' },
  },
});

const columnsOf = ISSUE_SORTS.filter((column) => column !== 'relative_position');
const both = columnsOf.flatMap((column) => [`${column}_asc`, `${column}_desc`]);
/** `created` and `updated` also in lower case, as older clients say it. */
const older = ['created_asc', 'created_desc', 'updated_asc', 'updated_desc'] as const;

/** Name of an order to `column_direction`. */
export const IssueSort: Record<string, string> = {
  ...Object.fromEntries(both.map((sort) => [getName(sort), sort])),
  RELATIVE_POSITION_ASC: 'relative_position_asc',
  ...Object.fromEntries(older.map((sort) => [sort, sort.replace('_', '_at_')])),
};

function getName(sort: string): string {
  return sort
    .replace(/^(created|updated)_at_/, '$1_')
    .replace('blocking_issues_count', 'blocking_issues')
    .toUpperCase();
}

registerEnumType(IssueSort, {
  name: 'IssueSort',
  description: 'Values for sorting issues.',
  valuesConfig: {
    ...Object.fromEntries(
      both.map((sort) => {
        const [, column = '', direction] = /^(\w+)_(asc|desc)$/.exec(sort) ?? [];
        return [getName(sort), { description: `Sorts by ${column.replaceAll('_', ' ')} in ${direction}ending order.` }];
      }),
    ),
    RELATIVE_POSITION_ASC: {
      description: 'Sorts by relative position, as users arranged the issues, in ascending order.',
    },
    ...Object.fromEntries(
      older.map((sort) => [
        sort,
        {
          description: `Sorts by time ${sort.replace('_', ', in ')}ending order.`,
          deprecationReason: `Use \`${sort.toUpperCase()}\`. Deprecated in Service 15.9.`,
        },
      ]),
    ),
  },
});

const wildcards = (name: string, what: string, values: Readonly<Record<string, string>>) => {
  const type = Object.fromEntries(Object.keys(values).map((value) => [value, value.toLowerCase()]));
  registerEnumType(type, {
    name,
    description: `Filter by the presence of ${what}.`,
    valuesConfig: Object.fromEntries(Object.entries(values).map(([value, description]) => [value, { description }])),
  });
  return type;
};

const NONE_OR_ANY = { NONE: 'No value is set.', ANY: 'Any value is set.' };
export const AssigneeWildcardId = wildcards('AssigneeWildcardId', 'an assignee', NONE_OR_ANY);
export const WeightWildcardId = wildcards('WeightWildcardId', 'a weight', NONE_OR_ANY);
export const MilestoneWildcardId = wildcards('MilestoneWildcardId', 'a milestone', {
  ...NONE_OR_ANY,
  STARTED: 'Milestone that has started and is not past its due date.',
  UPCOMING: 'Milestone due closest in the future.',
});
export const NegatedMilestoneWildcardId = wildcards('NegatedMilestoneWildcardId', 'a milestone', {
  STARTED: 'Milestone that has started and is not past its due date.',
  UPCOMING: 'Milestone due closest in the future.',
});
export const IssuableSearchableField = wildcards('IssuableSearchableField', 'a term in a field', {
  TITLE: 'Search in title field.',
  DESCRIPTION: 'Search in description field.',
});
export const SubscriptionStatus = wildcards('SubscriptionStatus', 'a subscription', {
  EXPLICITLY_SUBSCRIBED: 'Caller is subscribed to notifications.',
  EXPLICITLY_UNSUBSCRIBED: 'Caller has unsubscribed from notifications.',
});

export const IssueStateEventEnum = { CLOSE: 'close', REOPEN: 'reopen' } as const;
registerEnumType(IssueStateEventEnum, {
  name: 'IssueStateEvent',
  description: 'Event that changes the state of an issue.',
  valuesConfig: { CLOSE: { description: 'Closes the issue.' }, REOPEN: { description: 'Reopens the issue.' } },
});

export const MutationOperationMode = { REPLACE: 'replace', APPEND: 'append', REMOVE: 'remove' } as const;
registerEnumType(MutationOperationMode, {
  name: 'MutationOperationMode',
  description: 'Different toggles for changing mutator behavior.',
  valuesConfig: {
    REPLACE: { description: 'Replaces the existing items with the specified ones.' },
    APPEND: { description: 'Keeps the existing items and adds the specified ones.' },
    REMOVE: { description: 'Removes the specified items.' },
  },
});

export const WorkItemRelatedLinkType = {
  RELATED: 'relates_to',
  BLOCKS: 'blocks',
  BLOCKED_BY: 'is_blocked_by',
} as const;
registerEnumType(WorkItemRelatedLinkType, {
  name: 'WorkItemRelatedLinkType',
  description: 'Type of a link between two issues, as seen from the first.',
  valuesConfig: {
    RELATED: { description: 'The issues are related to each other.' },
    BLOCKS: { description: 'The first issue must be done before the other.' },
    BLOCKED_BY: { description: 'The other issue must be done before the first.' },
  },
});

export const WorkItemState = { OPEN: 'opened', CLOSED: 'closed' } as const;
registerEnumType(WorkItemState, {
  name: 'WorkItemState',
  description: 'State of a work item.',
  valuesConfig: { OPEN: { description: 'Work item is open.' }, CLOSED: { description: 'Work item is closed.' } },
});
