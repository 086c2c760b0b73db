import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { ContainerType } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { sameText } from '../../core/database/expressions.js';
import { BadParams } from '../../core/values/errors.js';
import { instant, integer, optional, oneOf, text, withDefault } from '../../core/operations/fields.js';
import { byId } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import { can, instance, operation } from '../../core/operations/operation.js';
import type { AuditEvent } from './audit-event.entity.js';
import { findAuditEvent, onAuditEvents, visibleAuditEvents } from './audit-event.finder.js';
import { auditEventPolicy } from './audit-event.policy.js';

/** A group's log is read in windows of this length at most. */
const GROUP_WINDOW_MS = 30 * 86_400_000;

const listParams = {
  created_after: optional(instant()).describe('Return events at or after this time.'),
  created_before: optional(instant()).describe('Return events at or before this time.'),
  target_type: optional(text()).describe(
    'Filter by type of the record that the event is about, such as `PipelineSchedule`. Beyond the public API.',
  ),
  target_id: optional(integer()).describe(
    'Filter by ID of the record that the event is about; requires `target_type`. Beyond the public API.',
  ),
  author: optional(text()).describe('Filter by username of the author of the event. Beyond the public API.'),
  order_by: withDefault(oneOf(['id']), 'id').describe('Column to order by.'),
  sort: withDefault(oneOf(['asc', 'desc']), 'desc').describe(
    'Direction of the order; keyset pagination supports `desc` only.',
  ),
};

interface Window {
  created_after?: Date | undefined;
  created_before?: Date | undefined;
}

function within({ created_after: after, created_before: before }: Window): Expression<SqlBool>[] {
  return [
    ...(after ? [onAuditEvents('e.created_at', '>=', after)] : []),
    ...(before ? [onAuditEvents('e.created_at', '<=', before)] : []),
  ];
}

interface Target {
  author?: string | undefined;
  target_type?: string | undefined;
  target_id?: number | undefined;
}

/** Users, who lie in a domain above. */
interface Users {
  users: { id: number; username: string };
}

const getUserId = (username: string) =>
  expressionBuilder<Users>()
    .selectFrom('users as u')
    .select('u.id')
    .where((eb) => sameText(eb.ref('u.username'), username));

/** @throws BadParams for an id without a type: ids are unique only within a type */
function aboutTarget({ target_type: type, target_id: id, author }: Target): Expression<SqlBool>[] {
  if (id !== undefined && type === undefined) throw new BadParams(['target_type is missing']);
  return [
    ...(type === undefined ? [] : [onAuditEvents('e.target_type', '=', type)]),
    ...(id === undefined ? [] : [onAuditEvents('e.target_id', '=', id)]),
    ...(author === undefined ? [] : [onAuditEvents('e.author_id', '=', getUserId(author))]),
  ];
}

/** Limits the requested period to its newest 30 days. */
function groupWindow(ctx: Context, { created_after: after, created_before: before }: Window): Window {
  const start = new Date((before ?? ctx.clock.now()).getTime() - GROUP_WINDOW_MS);
  return { created_after: after && after > start ? after : start, created_before: before };
}

/** Offset or keyset, the latter newest first only (rest-conventions.md section 7). */
function paged(list: List<AuditEvent>, sort: 'asc' | 'desc'): List<AuditEvent> {
  return {
    ...list,
    order: [byId('e', sort)],
    keyset: { type: 'AuditEvent', by: 'cursor', offered: sort === 'desc' },
  };
}

/** List the events of the whole instance, newest first. */
export const listInstanceAuditEvents = operation({
  name: 'listInstanceAuditEvents',
  summary: 'List audit events',
  resource: instance,
  authentication: 'administrator',
  kind: 'read',
  plan: 'premium',
  statements: 3,
  params: {
    ...listParams,
    entity_type: optional(oneOf(['User', 'Group', 'Project', 'Instance'])).describe(
      'Filter by type of the entity whose log contains the events.',
    ),
    entity_id: optional(integer()).describe(
      'Filter by ID of the entity whose log contains the events; requires `entity_type`.',
    ),
  },
  run(ctx, _instance, input) {
    const where = [...within(input), ...aboutTarget(input)];
    if (input.entity_id !== undefined && input.entity_type === undefined)
      throw new BadParams(['entity_type is missing']);
    if (input.entity_type !== undefined) where.push(onAuditEvents('e.entity_type', '=', input.entity_type));
    if (input.entity_id !== undefined) where.push(onAuditEvents('e.entity_id', '=', input.entity_id));
    return Promise.resolve(paged(visibleAuditEvents(ctx, null, where), input.sort));
  },
});

const eventParam = { audit_event_id: integer().describe('ID of the audit event.') };

/** Read one event, whatever log it is in. */
export const getInstanceAuditEvent = operation({
  name: 'getInstanceAuditEvent',
  summary: 'Read an audit event',
  resource: instance,
  authentication: 'administrator',
  kind: 'read',
  plan: 'premium',
  statements: 2,
  params: eventParam,
  run: (ctx, _instance, input) => findAuditEvent(ctx, null, input.audit_event_id),
});

/** Operations that read the log of a kind of container. */
export function auditEventOperations({ kind: of, noun, resource }: ContainerType) {
  const readable = {
    resource,
    can: can(auditEventPolicy, 'read_audit_event'),
    kind: 'read',
    plan: 'premium',
  } as const;
  return {
    /** List its events, newest first; people of lower roles see their own. */
    list: operation({
      name: `list${noun}AuditEvents`,
      ...readable,
      summary: `List the audit events of a ${of}`,
      statements: 4,
      params: listParams,
      run: (ctx, container, input) => {
        const window = of === 'group' ? groupWindow(ctx, input) : input;
        const where = [...within(window), ...aboutTarget(input)];
        return Promise.resolve(paged(visibleAuditEvents(ctx, container, where), input.sort));
      },
    }),

    /** Read one of its events. */
    get: operation({
      name: `get${noun}AuditEvent`,
      ...readable,
      summary: `Read an audit event of a ${of}`,
      statements: 3,
      params: eventParam,
      run: (ctx, container, input) => findAuditEvent(ctx, container, input.audit_event_id),
    }),
  };
}
