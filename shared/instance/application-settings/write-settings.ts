import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../core/context.js';
import { readStoredSettings } from '../../core/settings-store.js';
import type { Declarations, StoredSetting } from '../../core/settings-store.js';
import { sql } from '../../core/sql.js';
import { sealedChanges } from './secret-settings.js';
import { instanceSettings } from './settings.js';
import { unsupportedSettings, unsupportedValues } from './unsupported-settings.js';
import type { UnsupportedValues } from './unsupported-settings.js';
import type { Settings } from '../../core/settings.js';

/** The settings as they are stored: those that the service follows, and those that it only keeps. */
export interface KeptSettings {
  readonly settings: Settings;
  readonly unsupported: UnsupportedValues;
}

const declared: Declarations = { ...unsupportedSettings, ...instanceSettings };

/** The settings as the database has them, on the pool or within a transaction. */
export async function readSettings(ctx: Context): Promise<KeptSettings> {
  return keptIn(ctx, await readStoredSettings(ctx));
}

const keptIn = (ctx: Context, rows: readonly StoredSetting[]): KeptSettings => ({
  settings: ctx.services.settings.valuesFrom(rows),
  unsupported: unsupportedValues(rows),
});

/**
 * Stores changed settings in the caller's transaction and answers all of them as they now are. What equals its
 * default is not stored, so that a default changed by a later version holds for who never chose. This process
 * follows with the commit, the others within a second.
 */
export async function writeSettings(ctx: Context, changes: Readonly<Record<string, unknown>>): Promise<KeptSettings> {
  const before = await readSettings(ctx);
  const given = sealedChanges(
    ctx,
    Object.entries(changes).filter(([, value]) => value !== undefined),
  );
  const differs = ([name, value]: [string, unknown]) => !isDeepStrictEqual(value, declared[name]?.default);
  const stored = given.filter(differs);
  const defaults = given.filter((change) => !differs(change));
  if (stored.length > 0)
    await ctx.query(sql`
      insert into instance_settings (name, value, updated_at)
      select u.name, u.value::jsonb, ${ctx.clock.now()}
        from unnest(${stored.map(([name]) => name)}::text[],
                    ${stored.map(([, value]) => JSON.stringify(value))}::text[]) as u (name, value)
       order by u.name
      on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`);
  if (defaults.length > 0)
    await ctx.query(sql`delete from instance_settings where name = any(${defaults.map(([name]) => name)}::text[])`);
  const rows = await readStoredSettings(ctx);
  ctx.afterCommit(() => {
    ctx.services.settings.apply(rows);
    ctx.log.info({ names: given.map(([name]) => name), user_id: ctx.caller.id }, 'application_settings.update');
  });
  const after = keptIn(ctx, rows);
  ctx.record({
    type: 'settings.updated',
    before: { ...before.unsupported, ...before.settings },
    // A cleared one is null, as the log tells it.
    after: { ...Object.fromEntries(given), ...after.unsupported, ...after.settings },
    names: given.map(([name]) => name),
  });
  return after;
}
