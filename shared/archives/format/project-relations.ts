import { settingEntries, settingType } from '../../tenancy/namespaces/declared-settings.js';
import type { ContainerSetting, Declared } from '../../tenancy/namespaces/declared-settings.js';
import { mirrorSettings } from '../../tenancy/projects/declared-mirroring.js';
import { declaredSettings } from '../../tenancy/projects/declared-settings.js';
import { scheduleSettings } from '../../ci/pipeline-schedules/schedule-settings.js';
import { attributeKinds, sharedAttributes } from './attributes.js';
import type { ArchiveAttribute, ArchiveAttributes, ArchiveRelation } from './attributes.js';

const { date, flag, free, id, many, number, one, text, time, user, choice } = attributeKinds;
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
  milestoneOf,
  note,
  notes,
  resourceLabelEvents,
  resourceMilestoneEvents,
  resourceStateEvents,
  timestamps,
} = sharedAttributes;

/**
 * Snippets of a project (group-export-import.md section 7). Their files are in the bundles of their repositories;
 * `file_name` and `content`, null in archives of ours, are the only file of one that has no bundle.
 */
const snippetRelation: ArchiveRelation = {
  name: 'snippets',
  attributes: {
    id,
    title: text,
    description: text,
    author_id: user,
    visibility_level: choice(0, 10, 20),
    file_name: text,
    content: text,
    ...timestamps,
    author,
    award_emoji: awardEmoji,
    notes,
  },
};

/**
 * `project.json`, the attributes of a project (group-export-import.md section 7). Never ids of owners and creators,
 * tokens and addresses with secrets. `settings`: the settings that Maintainers choose, by the names of the API
 * (`PUT /projects/:id`); a reader takes those that it knows and that its importer may set.
 */
export const projectAttributes: ArchiveAttributes = {
  description: text,
  visibility_level: choice(0, 10, 20),
  archived: flag,
  default_branch: text,
  topics: many({ name: text }),
  settings: free,
};

/** The settings of projects in archives: mirrors are set up for one server. */
export const PROJECT_SETTINGS = settingEntries(declaredSettings)
  .map(([name]) => name)
  .filter((name) => !Object.hasOwn(mirrorSettings, name));

function settingAttribute(one: ContainerSetting): ArchiveAttribute {
  const choices = one.param.meta()?.enum as string[] | undefined;
  if (choices) return choice(...choices);
  return ({ boolean: flag, integer: number } as Readonly<Record<string, ArchiveAttribute>>)[settingType(one)] ?? text;
}

/** Declared settings that are attributes by themselves, each of what its parameter takes. */
const settingAttributes = (declared: Declared): ArchiveAttributes =>
  Object.fromEntries(settingEntries(declared).map(([name, one]) => [name, settingAttribute(one)]));

const person: ArchiveAttributes = { user_id: user, user: one({ public_email: text, username: text, name: text }) };

const timelogs = many({ time_spent: number, user_id: user, spent_at: time, summary: text, created_at: time });

const issue: ArchiveAttributes = {
  id,
  iid: number,
  title: text,
  description: text,
  issue_type: choice('issue', 'incident', 'test_case', 'task'),
  state: choice('opened', 'closed'),
  confidential: flag,
  discussion_locked: flag,
  author_id: user,
  updated_by_id: user,
  closed_by_id: user,
  weight: number,
  severity: text,
  start_date: date,
  due_date: date,
  relative_position: number,
  time_estimate: number,
  closed_at: time,
  last_edited_at: time,
  ...timestamps,
  author,
  milestone: milestoneOf,
  // Put back into the epic of the same iid and title above the project.
  epic: one({ iid: number, title: text, group_full_path: text }),
  issue_assignees: many(person),
  label_links: labelLinks,
  // Of this project's issues to each other: written with the source.
  issue_links: many({ target_iid: number, link_type: choice('relates_to', 'blocks'), ...timestamps }),
  timelogs,
  award_emoji: awardEmoji,
  notes,
  events,
  resource_label_events: resourceLabelEvents,
  resource_milestone_events: resourceMilestoneEvents,
  resource_state_events: resourceStateEvents,
  resource_weight_events: many({ user_id: user, created_at: time, weight: number }),
};

/** One end of the lines that a note on a diff is about. */
const lineEnd = one({ line_code: text, type: choice('new', 'old'), old_line: number, new_line: number });

/** The position of a note on a diff of a text, an image or a file. */
const position = one({
  base_sha: text,
  start_sha: text,
  head_sha: text,
  old_path: text,
  new_path: text,
  position_type: choice('text', 'image', 'file'),
  old_line: number,
  new_line: number,
  line_range: one({ start: lineEnd, end: lineEnd }),
  width: number,
  height: number,
  x: number,
  y: number,
});

const diffNotes = many({
  ...note,
  position,
  original_position: position,
  outdated: flag,
  suggestions: many({
    relative_order: number,
    lines_above: number,
    lines_below: number,
    from_content: text,
    to_content: text,
    outdated: flag,
    applied_sha: text,
  }),
});

/** Versions are identified by their commits, which the bundle of the repository holds. */
const mergeRequest: ArchiveAttributes = {
  id,
  iid: number,
  title: text,
  description: text,
  state: choice('opened', 'closed', 'merged', 'locked'),
  draft: flag,
  discussion_locked: flag,
  source_branch: text,
  target_branch: text,
  // Whether its source is the project itself; else it was a fork, which is not in the archive.
  source_is_target: flag,
  author_id: user,
  updated_by_id: user,
  closed_by_id: user,
  merge_user_id: user,
  squash: flag,
  force_remove_source_branch: flag,
  time_estimate: number,
  merge_commit_sha: text,
  squash_commit_sha: text,
  merged_commit_sha: text,
  merged_at: time,
  closed_at: time,
  prepared_at: time,
  last_edited_at: time,
  ...timestamps,
  author,
  milestone: milestoneOf,
  diff_refs: one({ base_sha: text, head_sha: text, start_sha: text }),
  merge_request_versions: many({
    head_sha: text,
    base_sha: text,
    start_sha: text,
    commits_count: number,
    created_at: time,
  }),
  merge_request_assignees: many(person),
  merge_request_reviewers: many({ ...person, state: text }),
  approvals: many({ ...person, created_at: time }),
  label_links: labelLinks,
  timelogs,
  award_emoji: awardEmoji,
  notes: diffNotes,
  events,
  resource_label_events: resourceLabelEvents,
  resource_milestone_events: resourceMilestoneEvents,
  resource_state_events: resourceStateEvents,
};

/** Roles only: users, groups and deploy keys of a rule are meaningless on other instances. */
const accessLevels = many({ access_level: number });

const protectedBranch: ArchiveAttributes = {
  id,
  name: text,
  allow_force_push: flag,
  code_owner_approval_required: flag,
  ...timestamps,
  push_access_levels: accessLevels,
  merge_access_levels: accessLevels,
  unprotect_access_levels: accessLevels,
};

const protectedTag: ArchiveAttributes = { id, name: text, ...timestamps, create_access_levels: accessLevels };

/** Inactive once imported, and its importer's. Values of variables and inputs stay where they are. */
const pipelineSchedule: ArchiveAttributes = {
  id,
  description: text,
  ref: text,
  cron: text,
  cron_timezone: text,
  active: flag,
  ...settingAttributes(scheduleSettings),
  ...timestamps,
  variables: many({ key: text, variable_type: text, raw: flag }),
  inputs: many({ name: text }),
};

const environment: ArchiveAttributes = {
  id,
  name: text,
  slug: text,
  external_url: text,
  description: text,
  state: choice('available', 'stopping', 'stopped'),
  tier: text,
  auto_stop_at: time,
  auto_stop_setting: text,
  kubernetes_namespace: text,
  flux_resource_path: text,
  ...timestamps,
};

const protectedEnvironment: ArchiveAttributes = {
  id,
  name: text,
  required_approval_count: number,
  ...timestamps,
  deploy_access_levels: many({ access_level: number, group_inheritance_type: number }),
  approval_rules: many({ access_level: number, group_inheritance_type: number, required_approvals: number }),
};

/**
 * Relations of a project, in the order of their files, which is one that they can be restored in. A relation of a later
 * area is one entry here, one reader (`readers`) and one restorer.
 */
export const projectRelations: readonly ArchiveRelation[] = [
  { name: 'labels', attributes: label },
  { name: 'milestones', attributes: milestone },
  { name: 'project_badges', attributes: badge },
  { name: 'issues', attributes: issue },
  { name: 'merge_requests', attributes: mergeRequest },
  { name: 'boards', attributes: board },
  { name: 'protected_branches', attributes: protectedBranch },
  { name: 'protected_tags', attributes: protectedTag },
  { name: 'pipeline_schedules', attributes: pipelineSchedule },
  { name: 'environments', attributes: environment },
  { name: 'protected_environments', attributes: protectedEnvironment, plan: 'premium' },
  snippetRelation,
  // Memberships are not exported; archives of other products have them.
  { name: 'project_members', attributes: member, incoming: true },
  { name: 'user_contributions', attributes: contributor },
];
