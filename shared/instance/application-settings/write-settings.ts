import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../core/context.js';
import { readStoredSettings } from '../../core/settings-store.js';
import type { Declarations } from '../../core/settings-store.js';
import { sql } from '../../core/sql.js';
import { sealedChanges } from './secret-settings.js';
import { instanceSettings } from './settings.js';
import type { Settings } from '../../core/settings.js';

/**
 * Stores changed settings in the caller's transaction and answers all of them as they now are. What equals its
 * default is not stored, so that a default changed by a later version holds for who never chose. This process
 * follows with the commit, the others within a second.
 */
export async function writeSettings(
  ctx: Context,
  changes: { readonly [K in keyof Settings]?: Settings[K] | undefined },
): Promise<Settings> {
  const before = ctx.services.settings.valuesFrom(await readStoredSettings(ctx));
  const declared: Declarations = instanceSettings;
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
  const now = ctx.services.settings.valuesFrom(rows);
  const names = given.map(([name]) => name) as (keyof Settings)[];
  ctx.record({ type: 'settings.updated', before, after: now, names });
  return now;
}
