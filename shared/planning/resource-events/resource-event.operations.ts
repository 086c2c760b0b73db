import { integer } from '../../core/fields.js';
import { can, operation } from '../../core/operation.js';
import { issue } from '../issues/issue.finder.js';
import { issuePolicy } from '../issues/issue.policy.js';
import { labelEvents, milestoneEvents, stateEvents, weightEvents } from './resource-event.finder.js';
import type { EventKind } from './resource-event.finder.js';

const NOUNS = { state: 'State', label: 'Label', milestone: 'Milestone', weight: 'Weight' } as const;

/** Listing and reading the events of one kind: whoever is signed in and may read the issue. */
function eventOperations<T>(kind: EventKind<T>) {
  const readable = {
    subject: issue,
    can: can(issuePolicy, 'read_issue'),
    kind: 'read',
    statements: 7,
  } as const;
  return {
    list: operation({
      ...readable,
      name: `listIssue${NOUNS[kind.name]}Events`,
      summary: `List the ${kind.name} events of an issue`,
      run: (_ctx, found) => Promise.resolve(kind.list(found)),
    }),
    get: operation({
      ...readable,
      name: `getIssue${NOUNS[kind.name]}Event`,
      summary: `Read a ${kind.name} event of an issue`,
      params: { event_id: integer().describe('Id of the event.') },
      run: (ctx, found, input) => kind.find(ctx, found, input.event_id),
    }),
  };
}

export const stateEventOperations = eventOperations(stateEvents);
export const labelEventOperations = eventOperations(labelEvents);
export const milestoneEventOperations = eventOperations(milestoneEvents);
export const weightEventOperations = eventOperations(weightEvents);
