import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../core/context/context.js';
import { readStoredSettings } from '../../core/context/settings-store.js';
import type { Declarations, StoredSetting } from '../../core/context/settings-store.js';
import { anyOf, unnestedColumns } from '../../core/database/expressions.js';
import type { InstanceDatabase } from '../instance.entities.js';
import { sealedChanges } from './secret-settings.js';
import { instanceSettings } from './settings.js';
import { unsupportedSettings, unsupportedValues } from './unsupported-settings.js';
import type { UnsupportedValues } from './unsupported-settings.js';
import type { Settings } from '../../core/values/settings.js';

/** The settings as they are stored: those that the service follows, and those that it only keeps. */
export interface SettingValues {
  readonly settings: Settings;
  readonly unsupported: UnsupportedValues;
}

const declared: Declarations = { ...unsupportedSettings, ...instanceSettings };

/** The settings as the database has them, on the pool or within a transaction. */
export async function readSettings(ctx: Context): Promise<SettingValues> {
  return valuesIn(ctx, await readStoredSettings(ctx));
}

const valuesIn = (ctx: Context, rows: readonly StoredSetting[]): SettingValues => ({
  settings: ctx.services.settings.valuesFrom(rows),
  unsupported: unsupportedValues(rows),
});

/** In the order of their names: two who change some at once wait for each other. */
async function storeSettings(ctx: Context, settings: readonly (readonly [string, unknown])[]): Promise<void> {
  const stored = unnestedColumns({
    name: [settings.map(([name]) => name), 'text'],
    value: [settings.map(([, value]) => JSON.stringify(value)), 'text'],
  });
  const now = ctx.clock.now();
  await ctx.em
    .getKysely<InstanceDatabase>()
    .insertInto('instance_settings')
    .columns(['name', 'value', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom(stored.as('u'))
        .select((of) => ['u.name', of.cast('u.value', 'jsonb').as('value'), of.val(now).as('updated_at')])
        .orderBy('u.name'),
    )
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb.ref('excluded.value'), updated_at: now })),
    )
    .execute();
}

/**
 * Stores changed settings in the caller's transaction and answers all of them as they now are. What equals its
 * default is not stored, so that a default changed by a later version holds for who never chose. This process
 * follows with the commit, the others within a second.
 */
export async function writeSettings(ctx: Context, changes: Readonly<Record<string, unknown>>): Promise<SettingValues> {
  const before = await readSettings(ctx);
  const changedSettings = sealedChanges(
    ctx,
    Object.entries(changes).filter(([, value]) => value !== undefined),
  );
  const differs = ([name, value]: [string, unknown]) => !isDeepStrictEqual(value, declared[name]?.default);
  const stored = changedSettings.filter(differs);
  const defaults = changedSettings.filter((change) => !differs(change));
  if (stored.length > 0) await storeSettings(ctx, stored);
  if (defaults.length > 0)
    await ctx.em
      .getKysely<InstanceDatabase>()
      .deleteFrom('instance_settings')
      .where(
        'name',
        '=',
        anyOf(
          defaults.map(([name]) => name),
          'text',
        ),
      )
      .execute();
  const rows = await readStoredSettings(ctx);
  ctx.afterCommit(() => {
    ctx.services.settings.apply(rows);
    ctx.log.info(
      { names: changedSettings.map(([name]) => name), user_id: ctx.caller.id },
      'application_settings.update',
    );
  });
  const after = valuesIn(ctx, rows);
  ctx.record({
    type: 'settings.updated',
    before: { ...before.unsupported, ...before.settings },
    // The audit log shows a cleared setting as null.
    after: { ...Object.fromEntries(changedSettings), ...after.unsupported, ...after.settings },
    names: changedSettings.map(([name]) => name),
  });
  return after;
}
