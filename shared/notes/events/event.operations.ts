import type { Expression, SqlBool } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { day, oneOf, optional, text, withDefault } from '../../core/operations/fields.js';
import { can, instance, operation } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { findUserByReference } from '../../tenancy/users/user.finder.js';
import type { UserRecord } from '../../tenancy/users/user.entity.js';
import { eventsOfAuthor, eventsOfMember, eventsOfProject } from './event.finder.js';
import { onEvents } from './visible-events.js';

const ACTIONS = [
  'approved',
  'closed',
  'commented',
  'created',
  'destroyed',
  'expired',
  'joined',
  'left',
  'merged',
  'pushed',
  'reopened',
  'updated',
] as const;

/** Of each type of target, that event `e` is about one; there are no events yet about those that are left out. */
const OF_TARGET: Readonly<Record<string, Expression<SqlBool>>> = {
  issue: onEvents('e.issue_id', 'is not', null),
  merge_request: onEvents('e.merge_request_id', 'is not', null),
  milestone: onEvents('e.milestone_title', 'is not', null),
  note: onEvents('e.note_id', 'is not', null),
  project: onEvents.and([
    onEvents('e.action', '=', constant('created')),
    onEvents(
      onEvents.fn<number>('num_nonnulls', [
        'e.issue_id',
        'e.merge_request_id',
        'e.milestone_title',
        'e.wiki_page_title',
      ]),
      '=',
      onEvents.lit(0),
    ),
  ]),
  wiki: onEvents('e.wiki_page_title', 'is not', null),
};
const TARGETS = ['epic', 'issue', 'merge_request', 'milestone', 'note', 'project', 'snippet', 'user', 'wiki'] as const;

const filters = {
  action: optional(oneOf(ACTIONS)).describe('Filter by action of the event.'),
  target_type: optional(oneOf(TARGETS)).describe('Filter by type of the target.'),
  before: optional(day()).describe('Return events before this day.'),
  after: optional(day()).describe('Return events after this day.'),
  sort: withDefault(oneOf(['asc', 'desc']), 'desc').describe('Direction of the order: newest or oldest event first.'),
};
type Filters = z.output<z.ZodObject<typeof filters>>;

function getConditions({ action, target_type: target, before, after }: Filters): Expression<SqlBool>[] {
  const getStart = (date: string) => onEvents.cast<Date>(onEvents.val(date), 'date');
  const endOf = (date: string) => onEvents(getStart(date) as Expression<unknown>, '+', onEvents.lit(1)).$castTo<Date>();
  return [
    ...(action ? [onEvents('e.action', '=', action)] : []),
    ...(target ? [OF_TARGET[target] ?? constant(false)] : []),
    ...(before ? [onEvents('e.created_at', '<', getStart(before))] : []),
    ...(after ? [onEvents('e.created_at', '>=', endOf(after))] : []),
  ];
}

const eventsBy = (ctx: Context, authorId: number, input: Filters) =>
  eventsOfAuthor(ctx, authorId, getConditions(input), input.sort);

/** A user by id or username, as their page names them. */
const userByReference: Resource<UserRecord> = {
  noun: 'User',
  params: {
    id: text()
      .describe('ID or username of the user.')
      .meta({ examples: ['root'] }),
  },
  find: (ctx, input: { id: string }) => findUserByReference(ctx, input.id),
};

/** List the caller's events; with `scope`, the events in the projects that the caller is a member of. */
export const listEvents = operation({
  name: 'listEvents',
  summary: "List the caller's events",
  resource: instance,
  kind: 'read',
  scopes: ['api', 'read_api', 'read_user'],
  params: {
    scope: optional(oneOf(['all'])).describe('If `all`, returns events of all projects of the caller.'),
    ...filters,
  },
  run(ctx, _instance, { scope, ...input }) {
    if (scope === 'all') return eventsOfMember(ctx, getConditions(input), input.sort);
    return eventsBy(ctx, ctx.caller.id, input);
  },
});

/** List a user's events that the caller can see. */
export const listUserEvents = operation({
  name: 'listUserEvents',
  summary: 'List the events of a user',
  resource: userByReference,
  authentication: 'open',
  kind: 'read',
  scopes: ['api', 'read_api', 'read_user'],
  params: filters,
  run: (ctx, { id }, input) => eventsBy(ctx, id, input),
});

/** List the events of a project that the caller can see. */
export const listProjectEvents = operation({
  name: 'listProjectEvents',
  summary: 'List the events of a project',
  resource: project,
  can: can(projectPolicy, 'read_project'),
  authentication: 'open',
  kind: 'read',
  params: filters,
  run: (ctx, found, input) => Promise.resolve(eventsOfProject(ctx, found, getConditions(input), input.sort)),
});
