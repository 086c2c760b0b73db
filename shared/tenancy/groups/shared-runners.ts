import type { Problems } from '../../core/errors.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

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
  await ctx.query(sql`
    update group_settings gs set shared_runners_setting = ${setting} from namespaces d
     where d.id = gs.namespace_id and d.traversal_ids @> array[${groupId}]::bigint[]
       and (d.id = ${groupId} or gs.shared_runners_setting = any(${replaced}::text[]))`);
  await ctx.query(sql`
    update project_settings ps set shared_runners_enabled = ${setting === ENABLED} from projects p, namespaces d
     where p.id = ps.project_id and d.id = p.namespace_id and d.traversal_ids @> array[${groupId}]::bigint[]
       and ps.shared_runners_enabled <> ${setting === ENABLED}`);
}
