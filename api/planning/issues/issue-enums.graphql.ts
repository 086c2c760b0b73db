import { registerEnumType } from 'type-graphql';
import { ISSUE_SORTS } from '../../../shared/planning/issue-lists/issue-order.js';

export const IssueState = { opened: 'opened', closed: 'closed', locked: 'locked', all: 'all' } as const;
registerEnumType(IssueState, {
  name: 'IssueState',
  description: 'Whether an issue is open.',
  valuesConfig: {
    opened: { description: 'It is open.' },
    closed: { description: 'It is closed.' },
    locked: { description: 'Its discussion is locked; issues are never in this state.' },
    all: { description: 'Whatever its state.' },
  },
});

export const IssuableState = { ...IssueState };
registerEnumType(IssuableState, {
  name: 'IssuableState',
  description: 'Whether an issue or merge request is open.',
  valuesConfig: {
    opened: { description: 'It is open.' },
    closed: { description: 'It is closed.' },
    locked: { description: 'It is locked.' },
    all: { description: 'Whatever its state.' },
  },
});

/** Kinds of issues. What stands for `test_case` and `requirement` publicly has no name in this enum's contract but the first. */
export const IssueType = {
  ISSUE: 'issue',
  INCIDENT: 'incident',
  TEST_CASE: 'test_case',
  TASK: 'task',
  TICKET: 'ticket',
};
registerEnumType(IssueType, {
  name: 'IssueType',
  description: 'Kind of an issue.',
  valuesConfig: {
    ISSUE: { description: 'Something to do.' },
    INCIDENT: { description: 'Something that went wrong.' },
    TEST_CASE: { description: 'How something is tested.' },
    TASK: { description: 'A part of something to do.' },
    TICKET: { description: 'A question from outside; there are none yet.' },
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
  description: 'How bad an incident is.',
  valuesConfig: {
    UNKNOWN: { description: 'Nobody said.' },
    LOW: { description: 'S4.' },
    MEDIUM: { description: 'S3.' },
    HIGH: { description: 'S2.' },
    CRITICAL: { description: 'S1.' },
  },
});

const columnsOf = ISSUE_SORTS.filter((column) => column !== 'relative_position');
const both = columnsOf.flatMap((column) => [`${column}_asc`, `${column}_desc`]);
/** `created` and `updated` also in lower case, as older clients say it. */
const older = ['created_asc', 'created_desc', 'updated_asc', 'updated_desc'] as const;

/** Name of an order to `column_direction`. */
export const IssueSort: Record<string, string> = {
  ...Object.fromEntries(both.map((sort) => [nameOf(sort), sort])),
  RELATIVE_POSITION_ASC: 'relative_position_asc',
  ...Object.fromEntries(older.map((sort) => [sort, sort.replace('_', '_at_')])),
};

function nameOf(sort: string): string {
  return sort
    .replace(/^(created|updated)_at_/, '$1_')
    .replace('blocking_issues_count', 'blocking_issues')
    .toUpperCase();
}

registerEnumType(IssueSort, {
  name: 'IssueSort',
  description: 'Orders of issues.',
  valuesConfig: {
    ...Object.fromEntries(
      both.map((sort) => {
        const [, column = '', direction] = /^(\w+)_(asc|desc)$/.exec(sort) ?? [];
        return [nameOf(sort), { description: `By ${column.replaceAll('_', ' ')}, ${direction}ending.` }];
      }),
    ),
    RELATIVE_POSITION_ASC: { description: 'As people put them.' },
    ...Object.fromEntries(
      older.map((sort) => [
        sort,
        {
          description: `By when it was ${sort.replace('_', ', ')}ending.`,
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
    description: `Whether there is ${what}.`,
    valuesConfig: Object.fromEntries(Object.entries(values).map(([value, description]) => [value, { description }])),
  });
  return type;
};

const NONE_OR_ANY = { NONE: 'There is none.', ANY: 'There is one.' };
export const AssigneeWildcardId = wildcards('AssigneeWildcardId', 'an assignee', NONE_OR_ANY);
export const WeightWildcardId = wildcards('WeightWildcardId', 'a weight', NONE_OR_ANY);
export const MilestoneWildcardId = wildcards('MilestoneWildcardId', 'a milestone', {
  ...NONE_OR_ANY,
  STARTED: 'One that has begun and is not over.',
  UPCOMING: 'The next one that is due.',
});
export const NegatedMilestoneWildcardId = wildcards('NegatedMilestoneWildcardId', 'a milestone', {
  STARTED: 'One that has begun and is not over.',
  UPCOMING: 'The next one that is due.',
});
export const IssuableSearchableField = wildcards('IssuableSearchableField', 'a word in', {
  TITLE: 'The title.',
  DESCRIPTION: 'The description.',
});
export const SubscriptionStatus = wildcards('SubscriptionStatus', 'a subscription', {
  EXPLICITLY_SUBSCRIBED: 'The caller asked to be told.',
  EXPLICITLY_UNSUBSCRIBED: 'The caller asked not to be told.',
});

export const IssueStateEventEnum = { CLOSE: 'close', REOPEN: 'reopen' } as const;
registerEnumType(IssueStateEventEnum, {
  name: 'IssueStateEvent',
  description: 'What becomes of the state.',
  valuesConfig: { CLOSE: { description: 'Closes it.' }, REOPEN: { description: 'Opens it again.' } },
});

export const MutationOperationMode = { REPLACE: 'replace', APPEND: 'append', REMOVE: 'remove' } as const;
registerEnumType(MutationOperationMode, {
  name: 'MutationOperationMode',
  description: 'What becomes of those that are there.',
  valuesConfig: {
    REPLACE: { description: 'They are replaced.' },
    APPEND: { description: 'They stay, and the given ones come to them.' },
    REMOVE: { description: 'The given ones go.' },
  },
});

export const WorkItemRelatedLinkType = {
  RELATED: 'relates_to',
  BLOCKS: 'blocks',
  BLOCKED_BY: 'is_blocked_by',
} as const;
registerEnumType(WorkItemRelatedLinkType, {
  name: 'WorkItemRelatedLinkType',
  description: 'How two issues are linked, seen from the first.',
  valuesConfig: {
    RELATED: { description: 'They have to do with each other.' },
    BLOCKS: { description: 'The first has to be done before the other.' },
    BLOCKED_BY: { description: 'The other has to be done before the first.' },
  },
});

export const WorkItemState = { OPEN: 'opened', CLOSED: 'closed' } as const;
registerEnumType(WorkItemState, {
  name: 'WorkItemState',
  description: 'Whether a work item is open.',
  valuesConfig: { OPEN: { description: 'It is open.' }, CLOSED: { description: 'It is closed.' } },
});
