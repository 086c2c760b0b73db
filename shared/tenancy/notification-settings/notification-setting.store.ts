import type { Context } from '../../core/context.js';
import { raw, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { GLOBAL, PARTICIPATING } from './notification-levels.js';
import type { Wishes } from './notification-levels.js';

/** Where something is to be told of: everywhere, or in one group or project. */
export type Place = { kind: 'user' } | { kind: 'group' | 'project'; id: number };

/** What the caller wants to be told of in a place. */
export interface NotificationSetting {
  kind: Place['kind'];
  /** Place in the list of levels. */
  level: number;
  /** Events that the caller decided about. */
  events: Wishes;
  /** The caller's address; only where the setting is about everything. */
  email?: string;
}

const COLUMNS = { group: 'namespace_id', project: 'project_id' } as const;

/** The table of a place's kind, and what besides the user tells its rows apart. */
function tableOf(place: Place): { table: Sql; key: Sql; value: Sql } {
  const table = raw(`${place.kind}_notification_settings`);
  if (place.kind === 'user') return { table, key: sql``, value: sql`` };
  return { table, key: raw(`${COLUMNS[place.kind]}, `), value: sql`${place.id}, ` };
}

const initial = (place: Place) => (place.kind === 'user' ? PARTICIPATING : GLOBAL);

async function emailOf(ctx: Context, place: Place): Promise<{ email?: string }> {
  if (place.kind !== 'user') return {};
  const found = await ctx.queryOne<{ email: string }>(sql`select u.email from users u where u.id = ${ctx.caller.id}`);
  return { email: found?.email ?? '' };
}

/** Reads the caller's setting; what was never set is as it begins. */
export async function readSetting(ctx: Context, place: Place): Promise<NotificationSetting> {
  const { table } = tableOf(place);
  const where = place.kind === 'user' ? sql`` : sql`and s.${raw(COLUMNS[place.kind])} = ${place.id}`;
  const [found, email] = await Promise.all([
    ctx.queryOne<{ level: number; events: Wishes }>(
      sql`select s.level, s.events from ${table} s where s.user_id = ${ctx.caller.id} ${where}`,
    ),
    emailOf(ctx, place),
  ]);
  return { kind: place.kind, level: initial(place), events: {}, ...found, ...email };
}

/** Changes the caller's setting by what is given, and keeps the rest: of two changes at once none is lost. */
export async function writeSetting(ctx: Context, place: Place, level: number | null, events: Wishes): Promise<void> {
  const { table, key, value } = tableOf(place);
  await ctx.query(sql`
    insert into ${table} as s (${key}user_id, level, events)
    values (${value}${ctx.caller.id}, ${level ?? initial(place)}, ${JSON.stringify(events)}::jsonb)
    on conflict (${key}user_id) do update
      set level = coalesce(${level}::smallint, s.level), events = s.events || excluded.events`);
}
