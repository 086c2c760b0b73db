import { sql } from 'kysely';
import { containerTable } from '../../core/operations/container.js';
import type { ContainerKind, ContainerRef } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { User } from './user.entity.js';
import { GLOBAL, PARTICIPATING } from './notification-levels.js';
import type { Wishes } from './notification-levels.js';

/** Scope of a notification setting: global, or one project or group. */
export type NotificationSource = { readonly kind: 'user' } | ContainerRef;

/** The caller's notification setting for a scope. */
export interface NotificationSetting {
  kind: 'user' | ContainerKind;
  /** Index in the list of levels. */
  level: number;
  /** Events that the caller decided about. */
  events: Wishes;
  /** The caller's address; only where the setting is about everything. */
  email?: string;
}

/**
 * The table for a scope, and its key column in addition to the user. Typed as the table of groups, because the setting
 * columns are the same.
 */
function getTable(source: NotificationSource) {
  if (source.kind === 'user')
    return { table: 'user_notification_settings' as 'group_notification_settings', key: null };
  const { table, column } = containerTable(source.kind, 'notification_settings');
  return { table, key: { column, id: source.id } };
}

const initial = (source: NotificationSource) => (source.kind === 'user' ? PARTICIPATING : GLOBAL);

async function getEmail(ctx: Context, source: NotificationSource): Promise<{ email?: string }> {
  if (source.kind !== 'user') return {};
  const found = await ctx.em.findOne(User, { id: ctx.caller.id }, { fields: ['email'] });
  return { email: found?.email ?? '' };
}

/** Reads the caller's setting; what was never set is as it begins. */
export async function readSetting(ctx: Context, source: NotificationSource): Promise<NotificationSetting> {
  const { table, key } = getTable(source);
  const own = ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom(`${table} as s`)
    .select(['s.level', 's.events'])
    .where('s.user_id', '=', ctx.caller.id);
  const [found, email] = await Promise.all([
    (key ? own.where(`s.${key.column}`, '=', key.id) : own).executeTakeFirst(),
    getEmail(ctx, source),
  ]);
  return { kind: source.kind, level: initial(source), events: {}, ...found, ...email };
}

/** Updates only the submitted parts of the caller's setting, so that no concurrent change is lost. */
export async function writeSetting(
  ctx: Context,
  source: NotificationSource,
  level: number | null,
  events: Wishes,
): Promise<void> {
  const { table, key } = getTable(source);
  const row = {
    user_id: ctx.caller.id,
    level: level ?? initial(source),
    events: sql<Wishes>`${JSON.stringify(events)}::jsonb`,
  };
  await ctx.em
    .getKysely<TenancyDatabase>()
    .insertInto(table)
    .values((key ? { ...row, [key.column]: key.id } : row) as typeof row & { namespace_id: number })
    .onConflict((conflict) =>
      conflict.columns(key ? [key.column, 'user_id'] : ['user_id']).doUpdateSet((eb) => ({
        level: level ?? eb.ref(`${table}.level`),
        events: sql<Wishes>`${eb.ref(`${table}.events`)} || ${eb.ref('excluded.events')}`,
      })),
    )
    .execute();
}
