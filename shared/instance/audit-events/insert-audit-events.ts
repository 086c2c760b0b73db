import { isPrincipal } from '../../core/callers.js';
import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { AuditNote } from './audit-note.js';

/** A note, and the context of who did it and from where. */
export interface AuthoredNote {
  readonly ctx: Context<Caller>;
  readonly note: AuditNote;
}

/** Jobs have no address: what somebody asks for who did not sign in comes from one. */
function authorName({ caller, origin }: Context<Caller>): string {
  if (isPrincipal(caller)) return caller.name;
  if (caller.user) return caller.user.name;
  return origin.actor ?? (origin.ip === null ? 'The service' : 'Somebody who is not signed in');
}

const rowOf = ({ ctx, note: { event, entity, target, message, change } }: AuthoredNote) => ({
  namespace_id: entity.namespaceId,
  entity_type: entity.type,
  entity_id: entity.id,
  entity_path: entity.path,
  author_id: ctx.caller.kind === 'user' ? ctx.caller.id : null,
  author_name: authorName(ctx),
  event_name: event,
  target_type: target?.type ?? entity.type,
  target_id: target ? target.id : entity.id,
  target_details: target?.details ?? entity.path,
  message,
  change: change?.attribute ?? null,
  value_from: change?.from ?? null,
  value_to: change?.to ?? null,
  ip_address: ctx.origin.ip,
});

/**
 * Writes audit events with one statement, in their order. The author is each context's caller, the address its
 * request's.
 */
export async function insertAuditEvents(notes: readonly AuthoredNote[]): Promise<void> {
  const ctx = notes[0]?.ctx;
  if (!ctx) return;
  await ctx.query(sql`
    insert into audit_events (namespace_id, entity_type, entity_id, entity_path, author_id, author_name, event_name,
      target_type, target_id, target_details, message, change, value_from, value_to, ip_address, created_at)
    select x.namespace_id, x.entity_type, x.entity_id, x.entity_path, x.author_id, x.author_name, x.event_name,
           x.target_type, x.target_id, x.target_details, x.message, x.change, x.value_from, x.value_to, x.ip_address,
           ${ctx.clock.now()}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(notes.map(rowOf))}::jsonb) as x (namespace_id bigint, entity_type text,
        entity_id bigint, entity_path text, author_id bigint, author_name text, event_name text, target_type text,
        target_id bigint, target_details text, message text, change text, value_from jsonb, value_to jsonb,
        ip_address text)`);
}
