import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import { CONTAINER_NOUNS } from '../../core/operations/container.js';
import type { FoundContainer } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotFound } from '../../core/values/errors.js';
import type { List } from '../../core/database/list.js';
import { byId, narrow, readAll } from '../../core/database/list.js';
import type { InstanceDatabase } from '../instance.entities.js';
import { AuditEvent } from './audit-event.entity.js';
import { auditEventPolicy } from './audit-event.policy.js';

type OfAuditEvents = Aliased<InstanceDatabase, { e: 'audit_events' }>;

/** Builds conditions on audit events `e`. */
export const onAuditEvents = expressionBuilder<OfAuditEvents, 'e'>();

/** All audit events, newest first. Checks no permissions. */
export const auditEvents: List<AuditEvent> = {
  matching: expressionBuilder<InstanceDatabase>().selectFrom('audit_events as e'),
  select: (query: SelectQueryBuilder<OfAuditEvents, 'e', object>) => query.select(columns(AuditEvent, 'e')),
  order: [byId('e', 'desc')],
};

/** Events of a container that the caller may see, as conditions on `e`; the whole instance's for administrators. */
function visibleIn(ctx: Context, container: FoundContainer | null): Expression<SqlBool>[] {
  if (!container) return ctx.caller.admin ? [] : [constant(false)];
  const here = [
    onAuditEvents('e.entity_type', '=', CONTAINER_NOUNS[container.kind]),
    onAuditEvents('e.entity_id', '=', container.id),
  ];
  return auditEventPolicy.read_all_audit_events(ctx.caller, container)
    ? here
    : [...here, onAuditEvents('e.author_id', '=', ctx.caller.id)];
}

/**
 * Audit events visible to the caller, newest first; filters on `e` are added to `where`.
 * @param container null for those of the whole instance
 */
export const visibleAuditEvents = (
  ctx: Context,
  container: FoundContainer | null,
  where: readonly Expression<SqlBool>[] = [],
): List<AuditEvent> => narrow(auditEvents, [...visibleIn(ctx, container), ...where]);

/** @throws NotFound "404 Audit Event Not Found", also for events in another log or hidden from the caller */
export async function findAuditEvent(ctx: Context, container: FoundContainer | null, id: number): Promise<AuditEvent> {
  const [event] = await readAll(ctx, visibleAuditEvents(ctx, container, [onAuditEvents('e.id', '=', id)]));
  if (!event) throw new NotFound('Audit Event');
  return event;
}
