import { CONTAINER_NOUNS } from '../../core/container.js';
import type { FoundContainer } from '../../core/container.js';
import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import type { TextList } from '../../core/list.js';
import { byId } from '../../core/list.js';
import { and, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { AuditEvent } from './audit-event.entity.js';
import { auditEventPolicy } from './audit-event.policy.js';

/** Events of a place that the caller may see, as conditions on `e`; the whole instance's for administrators. */
function visibleIn(ctx: Context, place: FoundContainer | null): Fragment[] {
  if (!place) return [ctx.caller.admin ? sql`true` : sql`false`];
  const here = sql`e.entity_type = ${CONTAINER_NOUNS[place.kind]} and e.entity_id = ${place.id}`;
  return auditEventPolicy.read_all_audit_events(ctx.caller, place)
    ? [here]
    : [here, sql`e.author_id = ${ctx.caller.id}`];
}

/**
 * Audit events that the caller may see, newest first; filters on `e` are added to `where`.
 * @param place null for those of the whole instance
 */
export function visibleAuditEvents(
  ctx: Context,
  place: FoundContainer | null,
  where: readonly Fragment[] = [],
): TextList<AuditEvent> {
  return {
    select: textColumns(AuditEvent, 'e'),
    from: sql`audit_events e`,
    where: [...visibleIn(ctx, place), ...where],
    order: [byId('e', 'desc')],
  };
}

/** @throws NotFound "404 Audit Event Not Found", also for what is in another log or not the caller's to see */
export async function findAuditEvent(ctx: Context, place: FoundContainer | null, id: number): Promise<AuditEvent> {
  const { select, from, where } = visibleAuditEvents(ctx, place, [sql`e.id = ${id}`]);
  const event = await ctx.queryOne<AuditEvent>(sql`select ${select} from ${from} where ${and(where)}`);
  if (!event) throw new NotFound('Audit Event');
  return event;
}
