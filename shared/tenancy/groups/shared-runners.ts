import type { Problems } from '../../core/values/errors.js';

/** Whether runners of the instance work for a group: from the strictest on. */
export const SHARED_RUNNERS = ['disabled_and_unoverridable', 'disabled_and_overridable', 'enabled'] as const;
const [STRICTEST, OVERRIDABLE, ENABLED] = SHARED_RUNNERS;

const getRank = (setting: string) => SHARED_RUNNERS.indexOf(setting as (typeof SHARED_RUNNERS)[number]);

/** Whether one setting allows more than another. */
export const allowsMore = (setting: string, than: string) => getRank(setting) > getRank(than);

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

/** Problems with enabling instance runners in a project whose group forbids overrides. */
export function projectRunnersProblems(enabled: boolean | undefined, groupSetting: string | null): Problems {
  if (!enabled || groupSetting !== STRICTEST) return {};
  return { shared_runners_enabled: ['cannot be enabled because parent group does not allow it'] };
}

/**
 * Whether instance runners are enabled for a project that enters a namespace: as requested, otherwise by the group's
 * setting, and never if the group forbids overrides.
 * @param groupSetting null in a personal namespace
 */
export function runnersInNamespace(groupSetting: string | null, requested: boolean | undefined): boolean {
  if (groupSetting === STRICTEST) return false;
  return requested ?? groupSetting !== OVERRIDABLE;
}
