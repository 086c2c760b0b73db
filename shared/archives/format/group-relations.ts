import { attributeKinds, sharedAttributes } from './attributes.js';
import type { ArchiveAttributes, ArchiveRelation } from './attributes.js';

const { date, flag, id, number, one, ref, text, time, user, choice } = attributeKinds;
const {
  author,
  awardEmoji,
  badge,
  board,
  contributor,
  events,
  label,
  labelLinks,
  member,
  milestone,
  notes,
  resourceLabelEvents,
  resourceStateEvents,
  timestamps,
} = sharedAttributes;

/** Levels as archives write them: the number is the index in the list. @public */
export const PROJECT_CREATION_LEVELS = ['noone', 'maintainer', 'developer', 'administrator', 'owner'] as const;
/** The same. @public */
export const SUBGROUP_CREATION_LEVELS = ['owner', 'maintainer'] as const;
/** @public */
export const VISIBILITY_LEVELS = { private: 0, internal: 10, public: 20 } as const;

/**
 * `<id>.json`, the attributes of a group (group-export-import.md section 3). Never: `owner_id`, times, and whatever is a
 * secret or a limit of the server that it came from.
 */
export const groupAttributes: ArchiveAttributes = {
  id,
  name: text,
  path: text,
  description: text,
  avatar: one({ url: text }),
  membership_lock: flag,
  share_with_group_lock: flag,
  visibility_level: choice(0, 10, 20),
  request_access_enabled: flag,
  lfs_enabled: flag,
  parent_id: ref('groups'),
  require_two_factor_authentication: flag,
  two_factor_grace_period: number,
  project_creation_level: choice(0, 1, 2, 3, 4),
  subgroup_creation_level: choice(0, 1),
  // Older and newer name of one setting: the public product wrote the first, and writes the second.
  emails_disabled: flag,
  emails_enabled: flag,
  auto_devops_enabled: flag,
  mentions_disabled: flag,
  default_branch_protection: number,
  max_artifacts_size: number,
};

const epic: ArchiveAttributes = {
  id,
  iid: number,
  title: text,
  description: text,
  state: choice('opened', 'closed'),
  author_id: user,
  group_id: ref('groups'),
  parent_id: ref('epics'),
  start_date: date,
  end_date: date,
  start_date_fixed: date,
  due_date_fixed: date,
  start_date_is_fixed: flag,
  due_date_is_fixed: flag,
  confidential: flag,
  color: text,
  relative_position: number,
  closed_at: time,
  closed_by_id: user,
  last_edited_at: time,
  ...timestamps,
  author,
  // Only where the exporter may read it; it may be in another group.
  parent: one({ id, iid: number, title: text, state: text, group_id: ref('groups'), confidential: flag }),
  award_emoji: awardEmoji,
  label_links: labelLinks,
  notes,
  events,
  resource_state_events: resourceStateEvents,
  resource_label_events: resourceLabelEvents,
};

const namespaceSettings: ArchiveAttributes = { prevent_sharing_groups_outside_hierarchy: flag };

/**
 * Relations of one group, in the order of their files, which is one that they can be restored in: a row refers to rows
 * before it, or to its own relation.
 */
export const groupRelations: readonly ArchiveRelation[] = [
  { name: 'milestones', attributes: milestone },
  { name: 'badges', attributes: badge },
  { name: 'labels', attributes: label },
  { name: 'boards', attributes: board },
  { name: 'members', attributes: member },
  { name: 'namespace_settings', attributes: namespaceSettings, single: true },
  { name: 'user_contributions', attributes: contributor },
  { name: 'epics', attributes: epic, plan: 'premium' },
];
