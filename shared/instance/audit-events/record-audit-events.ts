import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/** In whose log an event stands. Made by {@link auditedProject} and its like. */
export interface AuditedEntity {
  type: 'Project' | 'Group' | 'User' | 'Instance';
  id: number;
  /** Full path or username. */
  path: string;
  namespaceId: number;
}

/** What changed. Values are shown to administrators and Owners as they are: never pass a secret. */
export interface AuditNote {
  /** As the field names it: `project_created`, `member_updated`, `personal_access_token_revoked`. */
  event: string;
  entity: AuditedEntity;
  /** What was changed, where it is not the entity itself. `details` is its name as people know it. */
  target?: { type: string; id: number | null; details: string };
  /** One sentence: "Changed access level of alice from Guest to Owner". */
  message: string;
  /** The attribute that changed, and its values before and after. */
  change?: { attribute: string; from: unknown; to: unknown };
}

export const auditedProject = (project: { id: number; full_path: string; namespace_id: number }): AuditedEntity => ({
  type: 'Project',
  id: project.id,
  path: project.full_path,
  namespaceId: project.namespace_id,
});

export const auditedGroup = (group: { id: number; full_path: string }): AuditedEntity => ({
  type: 'Group',
  id: group.id,
  path: group.full_path,
  namespaceId: group.id,
});

export const auditedUser = (user: { id: number; username: string; namespace_id?: number | null }): AuditedEntity => ({
  type: 'User',
  id: user.id,
  path: user.username,
  namespaceId: user.namespace_id ?? 0,
});

export const auditedInstance: AuditedEntity = { type: 'Instance', id: 1, path: 'instance', namespaceId: 0 };

/** Jobs have no address: what somebody asks for who did not sign in comes from one. */
function authorName(ctx: Context): string {
  if (ctx.user) return ctx.user.name;
  return ctx.origin.actor ?? (ctx.origin.ip === null ? 'The service' : 'Somebody who is not signed in');
}

/**
 * Writes audit events in the caller's transaction: what was not committed was not done. The author is the context's
 * caller, the address its request's.
 */
export async function recordAuditEvents(ctx: Context, notes: readonly AuditNote[]): Promise<void> {
  if (notes.length === 0) return;
  const rows = notes.map(({ event, entity, target, message, change }) => ({
    namespace_id: entity.namespaceId,
    entity_type: entity.type,
    entity_id: entity.id,
    entity_path: entity.path,
    event_name: event,
    target_type: target?.type ?? entity.type,
    target_id: target ? target.id : entity.id,
    target_details: target?.details ?? entity.path,
    message,
    change: change?.attribute ?? null,
    value_from: change?.from ?? null,
    value_to: change?.to ?? null,
  }));
  await ctx.query(sql`
    insert into audit_events (namespace_id, entity_type, entity_id, entity_path, author_id, author_name, event_name,
      target_type, target_id, target_details, message, change, value_from, value_to, ip_address, created_at)
    select x.namespace_id, x.entity_type, x.entity_id, x.entity_path, ${ctx.user?.id ?? null}::bigint,
           ${authorName(ctx)}, x.event_name, x.target_type, x.target_id, x.target_details, x.message,
           x.change, x.value_from, x.value_to, ${ctx.origin.ip}, ${ctx.clock.now()}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (namespace_id bigint, entity_type text,
        entity_id bigint, entity_path text, event_name text, target_type text, target_id bigint, target_details text,
        message text, change text, value_from jsonb, value_to jsonb)`);
}

/** One event. See {@link recordAuditEvents}. */
export const recordAuditEvent = (ctx: Context, note: AuditNote): Promise<void> => recordAuditEvents(ctx, [note]);

/**
 * One event for each attribute of `after` that differs from `before`: the edits of a form as a log reads them.
 * @param names attributes that are told; secrets are left out by their callers
 */
export async function recordChanges<T extends object>(
  ctx: Context,
  note: Omit<AuditNote, 'message' | 'change'>,
  before: T,
  after: Partial<T>,
  names: readonly (keyof T & string)[],
): Promise<void> {
  const said = (value: unknown) => JSON.stringify(value ?? null);
  const changed = names.filter((name) => after[name] !== undefined && said(after[name]) !== said(before[name]));
  await recordAuditEvents(
    ctx,
    changed.map((name) => ({
      ...note,
      message: `Changed ${name.replaceAll('_', ' ')} from ${said(before[name])} to ${said(after[name])}`,
      change: { attribute: name, from: before[name] ?? null, to: after[name] ?? null },
    })),
  );
}
