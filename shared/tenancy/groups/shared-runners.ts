import type { Problems } from '../../core/errors.js';
import type { Context } from '../../core/context.js';
import { anyOf } from '../../core/database/expressions.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { idsWithin } from '../namespaces/below.js';

/** Whether runners of the instance work for a group: from the strictest on. */
export const SHARED_RUNNERS = ['disabled_and_unoverridable', 'disabled_and_overridable', 'enabled'] as const;
const [STRICTEST, OVERRIDABLE, ENABLED] = SHARED_RUNNERS;

const asked = (setting: string) => SHARED_RUNNERS.indexOf(setting as (typeof SHARED_RUNNERS)[number]);

/** Whether one setting allows more than another. */
export const allowsMore = (setting: string, than: string) => asked(setting) > asked(than);

/** A group that lets nothing below override it has only groups like it below. */
export function sharedRunnersProblems(
  setting: string | undefined,
  parent: { settings: { shared_runners_setting: string } } | null,
): Problems {
  if (setting === undefined || setting === STRICTEST || parent?.settings.shared_runners_setting !== STRICTEST)
    return {};
  return setting === ENABLED
    ? { shared_runners_enabled: ['cannot be enabled because parent group has shared Runners disabled'] }
    : {
        allow_descendants_override_disabled_shared_runners: [
          'cannot be enabled because parent group does not allow it',
        ],
      };
}

/** What a project may not switch on below a group that lets nothing override it. */
export function projectRunnersProblems(enabled: boolean | undefined, groupSetting: string | null): Problems {
  if (!enabled || groupSetting !== STRICTEST) return {};
  return { shared_runners_enabled: ['cannot be enabled because parent group does not allow it'] };
}

/**
 * Whether runners of the instance work for a project that comes into a namespace: as it wishes, else as the group has
 * it, and never where the group lets nothing override it.
 * @param groupSetting null in somebody's own namespace
 */
export function runnersInNamespace(groupSetting: string | null, wish: boolean | undefined): boolean {
  if (groupSetting === STRICTEST) return false;
  return wish ?? groupSetting !== OVERRIDABLE;
}

/**
 * Gives a group another setting, and with it everything below: `enabled` switches all of it on, the others switch it
 * off, and leave groups below that are stricter by themselves as they are. The caller has locked the tree.
 */
export async function setSharedRunners(ctx: Context, groupId: number, setting: string): Promise<void> {
  const replaced = setting === ENABLED ? SHARED_RUNNERS : SHARED_RUNNERS.slice(asked(setting) + 1);
  const enabled = setting === ENABLED;
  const db = ctx.em.getKysely<TenancyDatabase>();
  await db
    .updateTable('group_settings as gs')
    .set('shared_runners_setting', setting)
    .where('gs.namespace_id', 'in', idsWithin(groupId))
    .where((eb) =>
      eb.or([eb('gs.namespace_id', '=', groupId), eb('gs.shared_runners_setting', '=', anyOf(replaced, 'text'))]),
    )
    .execute();
  await db
    .updateTable('project_settings as ps')
    .from('projects as p')
    .set('shared_runners_enabled', enabled)
    .whereRef('p.id', '=', 'ps.project_id')
    .where('p.namespace_id', 'in', idsWithin(groupId))
    .where('ps.shared_runners_enabled', '<>', enabled)
    .execute();
}
