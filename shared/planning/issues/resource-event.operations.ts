import { integer } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import type { Rule } from '../../core/operations/policy.js';
import { epicById } from '../epics/epic.finder.js';
import { epicPolicy } from '../epics/epic.policy.js';
import { issue } from './issue.finder.js';
import { issuePolicy } from './issue.policy.js';
import { epicEvents, issueEvents } from './resource-event.finder.js';
import type { EventKind } from './resource-event.finder.js';

const NOUNS = { state: 'State', label: 'Label', milestone: 'Milestone', weight: 'Weight' } as const;

/** A kind of records that have events. */
interface EventedType<R> {
  /** As names of operations call it. */
  readonly noun: string;
  /** `an issue`. */
  readonly nounPhrase: string;
  readonly resource: Resource<R>;
  readonly can: { readonly ability: string; readonly rule: Rule<R> };
  /** The minimum plan of the instance. */
  readonly plan?: 'premium';
}

/** Listing and reading the events of one kind: signed-in users who can read the record. */
export function eventOperations<R extends { id: number }, T>(
  { noun, nounPhrase, ...of }: EventedType<R>,
  kind: EventKind<T>,
) {
  const readable = { ...of, kind: 'read', statements: 7 } as const;
  return {
    list: operation({
      ...readable,
      name: `list${noun}${NOUNS[kind.name]}Events`,
      summary: `List the ${kind.name} events of ${nounPhrase}`,
      run: (_ctx, found) => Promise.resolve(kind.list(found)),
    }),
    get: operation({
      ...readable,
      name: `get${noun}${NOUNS[kind.name]}Event`,
      summary: `Read a ${kind.name} event of ${nounPhrase}`,
      params: { event_id: integer().describe('ID of the event.') },
      run: (ctx, found, input) => kind.find(ctx, found, input.event_id),
    }),
  };
}

const ofIssues = { noun: 'Issue', nounPhrase: 'an issue', resource: issue, can: can(issuePolicy, 'read_issue') };

export const stateEventOperations = eventOperations(ofIssues, issueEvents.state);
export const labelEventOperations = eventOperations(ofIssues, issueEvents.label);
export const milestoneEventOperations = eventOperations(ofIssues, issueEvents.milestone);
export const weightEventOperations = eventOperations(ofIssues, issueEvents.weight);

const ofEpics = {
  noun: 'Epic',
  nounPhrase: 'an epic',
  resource: epicById,
  can: can(epicPolicy, 'read_epic'),
  plan: 'premium',
} as const;

export const epicStateEventOperations = eventOperations(ofEpics, epicEvents.state);
export const epicLabelEventOperations = eventOperations(ofEpics, epicEvents.label);
