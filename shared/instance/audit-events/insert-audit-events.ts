import { isPrincipal } from '../../core/context/callers.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { jsonRows } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { InstanceDatabase } from '../instance.entities.js';
import type { AuditEvent } from './audit-event.entity.js';
import type { AuditNote } from './audit-note.js';

/** A note, and the context of who did it and from where. */
export interface AuthoredNote {
  readonly ctx: Context<Caller>;
  readonly note: AuditNote;
}

/** Jobs have no address; requests from anonymous callers have one. */
function authorName({ caller, origin }: Context<Caller>): string {
  if (isPrincipal(caller)) return caller.name;
  if (caller.user) return caller.user.name;
  return origin.actor ?? (origin.ip === null ? 'The service' : 'Somebody who is not signed in');
}

const getRow = ({ ctx, note: { event, entity, target, message, change } }: AuthoredNote) => ({
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

type AuditRow = Omit<AuditEvent, 'created_at' | 'id'>;

const TYPES = {
  namespace_id: 'bigint',
  entity_type: 'text',
  entity_id: 'bigint',
  entity_path: 'text',
  author_id: 'bigint',
  author_name: 'text',
  event_name: 'text',
  target_type: 'text',
  target_id: 'bigint',
  target_details: 'text',
  message: 'text',
  change: 'text',
  value_from: 'jsonb',
  value_to: 'jsonb',
  ip_address: 'text',
} as const;
const COLUMNS = Object.keys(TYPES) as (keyof typeof TYPES)[];

const insertRows = prepareQuery<InstanceDatabase, { rows: string; now: Date }, object>((db, { rows, now }) =>
  db
    .insertInto('audit_events')
    .columns([...COLUMNS, 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom(jsonRows<AuditRow>(rows, TYPES).as('x'))
        .select(COLUMNS.map((name) => `x.${name}` as const))
        .select(eb.cast<Date>(now, 'timestamptz').as('created_at')),
    ),
);

/**
 * Writes audit events with one statement, in their order. The author is each context's caller, the address its
 * request's.
 */
export async function insertAuditEvents(notes: readonly AuthoredNote[]): Promise<void> {
  const ctx = notes[0]?.ctx;
  if (!ctx) return;
  await insertRows(ctx, { rows: JSON.stringify(notes.map(getRow)), now: ctx.clock.now() });
}
