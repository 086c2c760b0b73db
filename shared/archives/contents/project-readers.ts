import type { Context } from '../../core/context.js';
import { raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { ArchiveAttribute, ArchiveAttributes } from '../format/attributes.js';
import { projectRelations } from '../format/project-relations.js';
import { containerReaders, readerOf } from './container-readers.js';
import { VISIBILITY_LEVELS } from '../format/group-relations.js';
import { columnsOf, dayJson, instantJson, jsonList, timesOf } from './json-sql.js';
import type { AttributeValues } from './json-sql.js';
import { withReaders } from './read-relation.js';
import type { RelationReader } from './read-relation.js';
import {
  authorOf,
  awardsJson,
  eventsJson,
  labelEventsOf,
  labelLinksOf,
  milestoneEventsOf,
  milestoneOf,
  notesJson,
  notesList,
  stateEventsOf,
} from './shared-values.js';

/** The attributes of the objects in a list of a relation. */
function listed(relation: string, name: string): ArchiveAttributes {
  const found: ArchiveAttribute | undefined = projectRelations.find((one) => one.name === relation)?.attributes[name];
  if (found?.is !== 'many') throw new Error(`${relation}.${name} is no list.`);
  return found.of;
}

/** A user `us` as archives name somebody who has to do with a record. */
const person: AttributeValues = {
  user_id: raw('us.id'),
  user: sql`(select row_to_json(o) from (
    select us.public_email as "public_email", us.username as "username", us.name as "name") o)`,
};

/** Rows of a table that belong to the record, each with its user `us`. */
const withUsers = (table: string, column: string): Fragment =>
  sql`from ${raw(table)} t join users us on us.id = t.user_id where t.${raw(column)} = x.id order by us.id`;

const timelogsOf = (relation: string, table: string, column: string): Fragment =>
  jsonList(
    listed(relation, 'timelogs'),
    {
      ...columnsOf('t', 'time_spent', 'user_id', 'summary'),
      spent_at: instantJson(raw('t.spent_at')),
      created_at: instantJson(raw('t.created_at')),
    },
    sql`from ${raw(table)} t where t.${raw(column)} = x.id order by t.id`,
  );

const EPIC = sql`(select row_to_json(o) from (
  select e.iid as "iid", e.title as "title", r.path as "group_full_path"
    from epic_issues ei join epics e on e.id = ei.epic_id join routes r on r.namespace_id = e.namespace_id
   where ei.issue_id = x.id) o)`;

const issueValues = (ctx: Context): AttributeValues => ({
  ...columnsOf('x', 'id', 'iid', 'title', 'description', 'issue_type', 'state', 'confidential', 'discussion_locked'),
  ...columnsOf('x', 'author_id', 'updated_by_id', 'closed_by_id', 'weight', 'severity'),
  start_date: dayJson(raw('x.start_date')),
  due_date: dayJson(raw('x.due_date')),
  ...columnsOf('x', 'relative_position', 'time_estimate'),
  closed_at: instantJson(raw('x.closed_at')),
  last_edited_at: instantJson(raw('x.last_edited_at')),
  ...timesOf('x'),
  author: authorOf(raw('x.author_id')),
  milestone: milestoneOf(raw('x.milestone_id')),
  epic: ctx.hasPlan('premium') ? EPIC : sql`null`,
  issue_assignees: jsonList(listed('issues', 'issue_assignees'), person, withUsers('issue_assignees', 'issue_id')),
  label_links: labelLinksOf('issue_labels', 'issue_id'),
  issue_links: jsonList(
    listed('issues', 'issue_links'),
    { target_iid: raw('ti.iid'), link_type: raw('il.link_type'), ...timesOf('il') },
    sql`from issue_links il join issues ti on ti.id = il.target_id and ti.project_id = x.project_id
      where il.source_id = x.id order by ti.iid`,
  ),
  timelogs: timelogsOf('issues', 'issue_timelogs', 'issue_id'),
  award_emoji: awardsJson('issue_award_emojis', 'issue_id', raw('x.id')),
  notes: notesJson(ctx, 'Issue', 'issue_id'),
  events: eventsJson('issue_id'),
  resource_label_events: labelEventsOf('issue', 'issue_id'),
  resource_milestone_events: milestoneEventsOf('issue', 'issue_id'),
  resource_state_events: stateEventsOf('issue', 'issue_id'),
  resource_weight_events: jsonList(
    listed('issues', 'resource_weight_events'),
    { ...columnsOf('ev', 'user_id', 'weight'), created_at: instantJson(raw('ev.created_at')) },
    sql`from issue_weight_events ev where ev.issue_id = x.id order by ev.id`,
  ),
});

const DIFF_NOTES = listed('merge_requests', 'notes');

/** Where notes stand on the diff, and what they suggest there. */
const onDiffs: AttributeValues = {
  ...columnsOf('n', 'position', 'original_position', 'outdated'),
  suggestions: sql`(select coalesce(json_agg(json_build_object(
    'relative_order', su.relative_order, 'lines_above', su.lines_above, 'lines_below', su.lines_below,
    'from_content', su.from_content, 'to_content', su.to_content, 'outdated', su.outdated,
    'applied_sha', su.applied_sha) order by su.relative_order), '[]'::json) from suggestions su where su.note_id = n.id)`,
};

const mergeRequestValues = (ctx: Context): AttributeValues => ({
  ...columnsOf('x', 'id', 'iid', 'title', 'description', 'state', 'draft', 'discussion_locked', 'source_branch'),
  ...columnsOf('x', 'target_branch', 'author_id', 'updated_by_id', 'closed_by_id', 'merge_user_id', 'squash'),
  source_is_target: sql`coalesce(x.source_project_id = x.project_id, false)`,
  ...columnsOf('x', 'force_remove_source_branch', 'time_estimate', 'merge_commit_sha', 'squash_commit_sha'),
  merged_commit_sha: raw('x.merged_commit_sha'),
  merged_at: instantJson(raw('x.merged_at')),
  closed_at: instantJson(raw('x.closed_at')),
  prepared_at: instantJson(raw('x.prepared_at')),
  last_edited_at: instantJson(raw('x.last_edited_at')),
  ...timesOf('x'),
  author: authorOf(raw('x.author_id')),
  milestone: milestoneOf(raw('x.milestone_id')),
  diff_refs: sql`case when x.head_sha is not null then json_build_object(
    'base_sha', x.base_sha, 'head_sha', x.head_sha, 'start_sha', x.start_sha) end`,
  merge_request_versions: jsonList(
    listed('merge_requests', 'merge_request_versions'),
    {
      ...columnsOf('mv', 'head_sha', 'base_sha', 'start_sha', 'commits_count'),
      created_at: instantJson(raw('mv.created_at')),
    },
    sql`from merge_request_versions mv where mv.merge_request_id = x.id order by mv.id`,
  ),
  merge_request_assignees: jsonList(
    listed('merge_requests', 'merge_request_assignees'),
    person,
    withUsers('merge_request_assignees', 'merge_request_id'),
  ),
  merge_request_reviewers: jsonList(
    listed('merge_requests', 'merge_request_reviewers'),
    { ...person, state: raw('t.state') },
    withUsers('merge_request_reviewers', 'merge_request_id'),
  ),
  approvals: jsonList(
    listed('merge_requests', 'approvals'),
    { ...person, created_at: instantJson(raw('t.created_at')) },
    withUsers('merge_request_approvals', 'merge_request_id'),
  ),
  label_links: labelLinksOf('merge_request_labels', 'merge_request_id'),
  timelogs: timelogsOf('merge_requests', 'merge_request_timelogs', 'merge_request_id'),
  award_emoji: awardsJson('merge_request_award_emojis', 'merge_request_id', raw('x.id')),
  notes: notesList(ctx, {
    type: 'MergeRequest',
    column: 'merge_request_id',
    attributes: DIFF_NOTES,
    more: onDiffs,
  }),
  events: eventsJson('merge_request_id'),
  resource_label_events: labelEventsOf('merge_request', 'merge_request_id'),
  resource_milestone_events: milestoneEventsOf('merge_request', 'merge_request_id'),
  resource_state_events: stateEventsOf('merge_request', 'merge_request_id'),
});

/** Roles that a rule over refs admits to an action. */
const refLevels = (kind: 'branch' | 'tag', action: string): Fragment =>
  jsonList(
    listed(kind === 'branch' ? 'protected_branches' : 'protected_tags', `${action}_access_levels`),
    { access_level: raw('al.access_level') },
    sql`from ${raw(`protected_${kind}_access_levels`)} al
      where al.${raw(`protected_${kind}_id`)} = x.id and al.action = ${raw(`'${action}'`)}
        and al.access_level is not null order by al.access_level`,
  );

const protectedBranchValues: AttributeValues = {
  ...columnsOf('x', 'id', 'name', 'allow_force_push', 'code_owner_approval_required'),
  ...timesOf('x'),
  push_access_levels: refLevels('branch', 'push'),
  merge_access_levels: refLevels('branch', 'merge'),
  unprotect_access_levels: refLevels('branch', 'unprotect'),
};

const scheduleValues: AttributeValues = {
  ...columnsOf('x', 'id', 'description', 'ref', 'cron', 'cron_timezone', 'active', 'missed_policy'),
  ...timesOf('x'),
  variables: jsonList(
    listed('pipeline_schedules', 'variables'),
    columnsOf('v', 'key', 'variable_type', 'raw'),
    sql`from pipeline_schedule_variables v where v.pipeline_schedule_id = x.id order by v.key`,
  ),
  inputs: jsonList(
    listed('pipeline_schedules', 'inputs'),
    columnsOf('v', 'name'),
    sql`from pipeline_schedule_inputs v where v.pipeline_schedule_id = x.id order by v.name`,
  ),
};

const environmentValues: AttributeValues = {
  ...columnsOf('x', 'id', 'name', 'slug', 'external_url', 'description', 'state', 'tier'),
  auto_stop_at: instantJson(raw('x.auto_stop_at')),
  ...columnsOf('x', 'auto_stop_setting', 'kubernetes_namespace', 'flux_resource_path'),
  ...timesOf('x'),
};

const protectedEnvironmentValues: AttributeValues = {
  ...columnsOf('x', 'id', 'name', 'required_approval_count'),
  ...timesOf('x'),
  deploy_access_levels: jsonList(
    listed('protected_environments', 'deploy_access_levels'),
    columnsOf('l', 'access_level', 'group_inheritance_type'),
    sql`from protected_environment_deploy_levels l
      where l.protected_environment_id = x.id and l.access_level is not null order by l.id`,
  ),
  approval_rules: jsonList(
    listed('protected_environments', 'approval_rules'),
    columnsOf('l', 'access_level', 'group_inheritance_type', 'required_approvals'),
    sql`from protected_environment_approval_rules l
      where l.protected_environment_id = x.id order by l.id`,
  ),
};

const { internal, private: hidden, public: open } = VISIBILITY_LEVELS;

const snippetValues = (ctx: Context): AttributeValues => ({
  ...columnsOf('x', 'id', 'title', 'description', 'author_id'),
  visibility_level: sql`case x.visibility when 'public' then ${open}::integer when 'internal' then ${internal}::integer
    else ${hidden}::integer end`,
  file_name: sql`x.file_paths[1]`,
  // What is in its files is in the bundle of its repository.
  content: sql`null`,
  ...timesOf('x'),
  author: authorOf(raw('x.author_id')),
  award_emoji: awardsJson('snippet_award_emojis', 'snippet_id', raw('x.id')),
  notes: notesJson(ctx, 'Snippet', 'snippet_id'),
});

const { badges, ...shared } = containerReaders('project');

const readers: Readonly<Record<string, RelationReader>> = {
  ...shared,
  project_badges: badges,
  issues: readerOf('project', sql`issues x`, 'iid', issueValues),
  merge_requests: readerOf('project', sql`merge_requests x`, 'iid', mergeRequestValues),
  protected_branches: readerOf('project', sql`protected_branches x`, 'id', () => protectedBranchValues),
  protected_tags: readerOf('project', sql`protected_tags x`, 'id', () => ({
    ...columnsOf('x', 'id', 'name'),
    ...timesOf('x'),
    create_access_levels: refLevels('tag', 'create'),
  })),
  pipeline_schedules: readerOf('project', sql`pipeline_schedules x`, 'id', () => scheduleValues),
  environments: readerOf('project', sql`environments x`, 'id', () => environmentValues),
  protected_environments: readerOf('project', sql`protected_environments x`, 'id', () => protectedEnvironmentValues),
  snippets: readerOf('project', sql`snippets x`, 'id', snippetValues),
};

/** The relations of a project that are read, in the order of the format. */
export const readProjectRelations = withReaders(projectRelations, readers);
