import { clearable, wholeNumber } from '../../core/operations/fields.js';
import { declareSettings } from '../namespaces/container-settings.js';
import { MOST, olderFlag, settingKinds } from '../namespaces/setting-kinds.js';
import { SHARED_RUNNERS } from './shared-runners.js';

const kind = settingKinds<never>();
const audited = { audited: true } as const;

/** Settings of a group that its makers and Owners choose (core-resources.md section 3). */
export const groupSettings = declareSettings({
  // Shown of one group alone, to those who may edit it.
  membership_lock: kind.flag(false, "Whether nobody is added to the group's projects directly.", {
    ...audited,
    visibleTo: 'nobody',
  }),
  share_with_group_lock: kind.flag(false, 'Whether its projects are not shared with other groups.', {
    ...audited,
    inherited: true,
  }),
  require_two_factor_authentication: kind.flag(false, 'Whether members need a second factor.', audited),
  two_factor_grace_period: kind.number(
    48,
    { low: 0, high: 1_000_000, message: 'is invalid' },
    'Hours until the second factor is enforced.',
    audited,
  ),
  project_creation_level: kind.choice(
    ['noone', 'owner', 'maintainer', 'developer', 'administrator'],
    'developer',
    'Who may make projects in it.',
    audited,
  ),
  subgroup_creation_level: kind.choice(['owner', 'maintainer'], 'maintainer', 'Who may make subgroups.', audited),
  auto_devops_enabled: kind.openFlag("Default of its projects' Auto DevOps.", audited),
  emails_enabled: kind.flag(true, 'Whether its members get mail.', audited),
  emails_disabled: olderFlag('emails_enabled', (off) => !off, 'Deprecated: the opposite of emails_enabled.'),
  mentions_disabled: kind.openFlag('Whether mentioning the group tells nobody.', audited),
  lfs_enabled: kind.flag(true, "Default of its projects' large file storage.", audited),
  request_access_enabled: kind.flag(true, 'Whether others may ask to join.', { ...audited, graphql: true }),
  // How long it may be is a rule of branches.
  default_branch: kind.text(Infinity, 'First branch of new projects; empty for the usual one.', audited),
});

/** The same; the tree below follows this one (`setSharedRunners`). */
export const groupRunnerSettings = declareSettings({
  shared_runners_setting: kind.choice(SHARED_RUNNERS, 'enabled', 'Whether shared runners work for it.', {
    ...audited,
    inherited: true,
  }),
});

/** Settings that only editing takes. */
export const editedGroupSettings = declareSettings({
  // Shown of one group alone, at the top.
  prevent_sharing_groups_outside_hierarchy: kind.flag(false, 'Top-level groups: share only within the group.', {
    ...audited,
    visibleTo: 'nobody',
  }),
  max_artifacts_size: {
    ...kind.openNumber(null, { low: 0, high: MOST }, 'MiB; for administrators.', {
      ...audited,
      setBy: 'administrators',
    }),
    param: clearable(wholeNumber(0)).describe('MiB; for administrators.'),
  },
  // Shown to administrators alone.
  allow_possible_spam: kind.flag(
    false,
    "Whether its direct members' texts pass that look like spam; for administrators.",
    { ...audited, setBy: 'administrators', visibleTo: 'nobody' },
  ),
});

/**
 * Every setting of a group, each declared once (decision 41): its column, parameter, field in answers, value in new
 * groups and subgroups, audit and GraphQL come from here. A new one is one declaration and a migration.
 */
export const declaredGroupSettings = { ...groupSettings, ...groupRunnerSettings, ...editedGroupSettings };
