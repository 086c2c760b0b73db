import { clearable, wholeNumber } from '../../core/operations/fields.js';
import { declareSettings } from '../namespaces/declared-settings.js';
import { MOST, olderFlag, settingKinds } from '../namespaces/setting-kinds.js';
import { SHARED_RUNNERS } from './shared-runners.js';

const kind = settingKinds<never>();
const audited = { audited: true } as const;

/** Settings of a group that its makers and Owners choose (core-resources.md section 3). */
export const groupSettings = declareSettings({
  // Shown only in the single-group record, to callers who may edit it.
  membership_lock: kind.flag(false, 'If `true`, users cannot be added to projects of the group.', {
    ...audited,
    visibleTo: 'nobody',
  }),
  share_with_group_lock: kind.flag(false, 'If `true`, projects of the group cannot be shared with other groups.', {
    ...audited,
    inherited: true,
  }),
  require_two_factor_authentication: kind.flag(
    false,
    'If `true`, members must set up two-factor authentication.',
    audited,
  ),
  two_factor_grace_period: kind.number(
    48,
    { low: 0, high: 1_000_000, message: 'is invalid' },
    'Hours until the second factor is enforced.',
    audited,
  ),
  project_creation_level: kind.choice(
    ['noone', 'owner', 'maintainer', 'developer', 'administrator'],
    'developer',
    'Role required to create projects in the group.',
    audited,
  ),
  subgroup_creation_level: kind.choice(
    ['owner', 'maintainer'],
    'maintainer',
    'Role required to create subgroups.',
    audited,
  ),
  auto_devops_enabled: kind.openFlag("Default of its projects' Auto DevOps.", audited),
  emails_enabled: kind.flag(true, 'If `true`, email notifications are enabled for the group.', audited),
  emails_disabled: olderFlag('emails_enabled', (off) => !off, 'Deprecated: the opposite of emails_enabled.'),
  mentions_disabled: kind.openFlag('If `true`, mentions of the group do not notify its members.', audited),
  lfs_enabled: kind.flag(true, "Default of its projects' large file storage.", audited),
  request_access_enabled: kind.flag(true, 'If `true`, users can request access.', { ...audited, graphql: true }),
  // How long it may be is a rule of branches.
  default_branch: kind.text(Infinity, 'First branch of new projects; empty for the usual one.', audited),
});

/** The same; the tree below follows this one (`setSharedRunners`). */
export const groupRunnerSettings = declareSettings({
  shared_runners_setting: kind.choice(
    SHARED_RUNNERS,
    'enabled',
    'Availability of instance runners for the group and its projects.',
    {
      ...audited,
      inherited: true,
    },
  ),
});

/** Settings that only editing takes. */
export const editedGroupSettings = declareSettings({
  // Shown only in the single-group record of top-level groups.
  prevent_sharing_groups_outside_hierarchy: kind.flag(false, 'Top-level groups: share only within the group.', {
    ...audited,
    visibleTo: 'nobody',
  }),
  max_artifacts_size: {
    ...kind.openNumber(null, { low: 0, high: MOST }, 'MiB; for administrators.', {
      ...audited,
      setBy: 'administrators',
    }),
    param: clearable(wholeNumber(0)).describe('Maximum size of artifacts in MiB; for administrators.'),
  },
  // Shown only to administrators.
  allow_possible_spam: kind.flag(
    false,
    'If `true`, possible spam of direct members is accepted. Administrators only.',
    { ...audited, setBy: 'administrators', visibleTo: 'nobody' },
  ),
});

/**
 * Every setting of a group, each declared once (decision 41): its column, parameter, field in answers, value in new
 * groups and subgroups, audit and GraphQL come from here. A new one is one declaration and a migration.
 */
export const declaredGroupSettings = { ...groupSettings, ...groupRunnerSettings, ...editedGroupSettings };
