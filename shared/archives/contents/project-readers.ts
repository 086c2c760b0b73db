import { sql } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { ArchiveAttribute, ArchiveAttributes } from '../format/attributes.js';
import { projectRelations } from '../format/project-relations.js';
import { containerReaders, readerOf } from './container-readers.js';
import { VISIBILITY_LEVELS } from '../format/group-relations.js';
import { db, jsonList, NO_ELEMENTS, plainObject, plainRow, rowValues } from './json-values.js';
import type { AttributeValues } from './json-values.js';
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

/** Of the record that something belongs to. */
const ID = sql.ref<number>('x.id');

const user = rowValues<'users'>('us');

/** A user `us` as archives name somebody who has to do with a record. */
const person: AttributeValues = {
  user_id: user.ref('id'),
  user: plainObject(user.columns('public_email', 'username', 'name')),
};

/** Issues and merge requests have tables whose names begin with theirs: typed as those of one kind. */
type Issuable = 'issue' | 'merge_request';

/** Rows `t` of a table that belong to the record, each with its user `us`. */
const withUsers = (name: Issuable, things: 'assignees' | 'reviewers' | 'approvals') =>
  db
    .selectFrom(`${name}_${things} as t` as 'issue_assignees as t')
    .innerJoin('users as us', 'us.id', 't.user_id')
    .where(`t.${name}_id` as 't.issue_id', '=', ID)
    .orderBy('us.id');

const timelog = rowValues<'issue_timelogs'>('t');

const timelogsOf = (relation: string, name: Issuable) =>
  jsonList(
    listed(relation, 'timelogs'),
    {
      ...timelog.columns('time_spent', 'user_id', 'summary'),
      spent_at: timelog.instant('spent_at'),
      created_at: timelog.instant('created_at'),
    },
    db
      .selectFrom(`${name}_timelogs as t` as 'issue_timelogs as t')
      .where(`t.${name}_id` as 't.issue_id', '=', ID)
      .orderBy('t.id'),
  );

const EPIC = plainRow(
  { iid: sql.ref('e.iid'), title: sql.ref('e.title'), group_full_path: sql.ref('r.path') },
  db
    .selectFrom('epic_issues as ei')
    .innerJoin('epics as e', 'e.id', 'ei.epic_id')
    .innerJoin('routes as r', 'r.namespace_id', 'e.namespace_id')
    .where('ei.issue_id', '=', ID),
);

const issue = rowValues<'issues'>('x');
const link = rowValues<'issue_links'>('il');
const weightEvent = rowValues<'issue_weight_events'>('ev');

const issueValues = (ctx: Context): AttributeValues => ({
  ...issue.columns('id', 'iid', 'title', 'description', 'issue_type', 'state', 'confidential', 'discussion_locked'),
  ...issue.columns('author_id', 'updated_by_id', 'closed_by_id', 'weight', 'severity'),
  start_date: issue.day('start_date'),
  due_date: issue.day('due_date'),
  ...issue.columns('relative_position', 'time_estimate'),
  closed_at: issue.instant('closed_at'),
  last_edited_at: issue.instant('last_edited_at'),
  ...issue.times(),
  author: authorOf(issue.ref('author_id')),
  milestone: milestoneOf(issue.ref('milestone_id')),
  epic: ctx.hasPlan('premium') ? EPIC : constant(null),
  issue_assignees: jsonList(listed('issues', 'issue_assignees'), person, withUsers('issue', 'assignees')),
  label_links: labelLinksOf('issue'),
  issue_links: jsonList(
    listed('issues', 'issue_links'),
    { target_iid: sql.ref('ti.iid'), link_type: link.ref('link_type'), ...link.times() },
    db
      .selectFrom('issue_links as il')
      .innerJoin('issues as ti', (join) =>
        join.onRef('ti.id', '=', 'il.target_id').on('ti.project_id', '=', issue.ref('project_id')),
      )
      .where('il.source_id', '=', ID)
      .orderBy('ti.iid'),
  ),
  timelogs: timelogsOf('issues', 'issue'),
  award_emoji: awardsJson('issue'),
  notes: notesJson(ctx, 'Issue', 'issue_id'),
  events: eventsJson('issue_id'),
  resource_label_events: labelEventsOf('issue'),
  resource_milestone_events: milestoneEventsOf('issue'),
  resource_state_events: stateEventsOf('issue'),
  resource_weight_events: jsonList(
    listed('issues', 'resource_weight_events'),
    { ...weightEvent.columns('user_id', 'weight'), created_at: weightEvent.instant('created_at') },
    db.selectFrom('issue_weight_events as ev').where('ev.issue_id', '=', ID).orderBy('ev.id'),
  ),
});

const DIFF_NOTES = listed('merge_requests', 'notes');

const suggestion = rowValues<'suggestions'>('su');

/** Where notes stand on the diff, and what they suggest there. */
const onDiffs: AttributeValues = {
  ...rowValues<'notes'>('n').columns('position', 'original_position', 'outdated'),
  suggestions: db
    .selectFrom('suggestions as su')
    .select(({ fn }) =>
      fn
        .coalesce(
          fn
            .agg('json_agg', [
              jsonBuildObject(
                suggestion.columns(
                  ...(['relative_order', 'lines_above', 'lines_below', 'from_content', 'to_content'] as const),
                  ...(['outdated', 'applied_sha'] as const),
                ),
              ),
            ])
            .orderBy('su.relative_order'),
          NO_ELEMENTS,
        )
        .as('list'),
    )
    .where('su.note_id', '=', sql.ref<number>('n.id'))
    .$asScalar(),
};

const mergeRequest = rowValues<'merge_requests'>('x');
const version = rowValues<'merge_request_versions'>('mv');

const mergeRequestValues = (ctx: Context): AttributeValues => ({
  ...mergeRequest.columns('id', 'iid', 'title', 'description', 'state', 'draft', 'discussion_locked', 'source_branch'),
  ...mergeRequest.columns('target_branch', 'author_id', 'updated_by_id', 'closed_by_id', 'merge_user_id', 'squash'),
  source_is_target: db.fn.coalesce(
    db(mergeRequest.ref('source_project_id'), '=', mergeRequest.ref('project_id')),
    constant(false),
  ),
  ...mergeRequest.columns('force_remove_source_branch', 'time_estimate', 'merge_commit_sha', 'squash_commit_sha'),
  merged_commit_sha: mergeRequest.ref('merged_commit_sha'),
  merged_at: mergeRequest.instant('merged_at'),
  closed_at: mergeRequest.instant('closed_at'),
  prepared_at: mergeRequest.instant('prepared_at'),
  last_edited_at: mergeRequest.instant('last_edited_at'),
  ...mergeRequest.times(),
  author: authorOf(mergeRequest.ref('author_id')),
  milestone: milestoneOf(mergeRequest.ref('milestone_id')),
  diff_refs: db
    .case()
    .when(mergeRequest.ref('head_sha'), 'is not', null)
    .then(jsonBuildObject(mergeRequest.columns('base_sha', 'head_sha', 'start_sha')))
    .end(),
  merge_request_versions: jsonList(
    listed('merge_requests', 'merge_request_versions'),
    {
      ...version.columns('head_sha', 'base_sha', 'start_sha', 'commits_count'),
      created_at: version.instant('created_at'),
    },
    db.selectFrom('merge_request_versions as mv').where('mv.merge_request_id', '=', ID).orderBy('mv.id'),
  ),
  merge_request_assignees: jsonList(
    listed('merge_requests', 'merge_request_assignees'),
    person,
    withUsers('merge_request', 'assignees'),
  ),
  merge_request_reviewers: jsonList(
    listed('merge_requests', 'merge_request_reviewers'),
    { ...person, state: rowValues<'merge_request_reviewers'>('t').ref('state') },
    withUsers('merge_request', 'reviewers'),
  ),
  approvals: jsonList(
    listed('merge_requests', 'approvals'),
    { ...person, created_at: rowValues<'merge_request_approvals'>('t').instant('created_at') },
    withUsers('merge_request', 'approvals'),
  ),
  label_links: labelLinksOf('merge_request'),
  timelogs: timelogsOf('merge_requests', 'merge_request'),
  award_emoji: awardsJson('merge_request'),
  notes: notesList(ctx, {
    type: 'MergeRequest',
    column: 'merge_request_id',
    attributes: DIFF_NOTES,
    more: onDiffs,
  }),
  events: eventsJson('merge_request_id'),
  resource_label_events: labelEventsOf('merge_request'),
  resource_milestone_events: milestoneEventsOf('merge_request'),
  resource_state_events: stateEventsOf('merge_request'),
});

/** Roles that a rule over refs admits to an action: both kinds of rules have tables alike. */
const refLevels = (kind: 'branch' | 'tag', action: string) =>
  jsonList(
    listed(kind === 'branch' ? 'protected_branches' : 'protected_tags', `${action}_access_levels`),
    { access_level: sql.ref('al.access_level') },
    db
      .selectFrom(`protected_${kind}_access_levels as al` as 'protected_branch_access_levels as al')
      .where(`al.protected_${kind}_id` as 'al.protected_branch_id', '=', ID)
      .where('al.action', '=', constant(action))
      .where('al.access_level', 'is not', null)
      .orderBy('al.access_level'),
  );

const protectedBranch = rowValues<'protected_branches'>('x');

const protectedBranchValues: AttributeValues = {
  ...protectedBranch.columns('id', 'name', 'allow_force_push', 'code_owner_approval_required'),
  ...protectedBranch.times(),
  push_access_levels: refLevels('branch', 'push'),
  merge_access_levels: refLevels('branch', 'merge'),
  unprotect_access_levels: refLevels('branch', 'unprotect'),
};

const protectedTag = rowValues<'protected_tags'>('x');

const protectedTagValues: AttributeValues = {
  ...protectedTag.columns('id', 'name'),
  ...protectedTag.times(),
  create_access_levels: refLevels('tag', 'create'),
};

const schedule = rowValues<'pipeline_schedules'>('x');

const scheduleValues: AttributeValues = {
  ...schedule.columns('id', 'description', 'ref', 'cron', 'cron_timezone', 'active', 'missed_policy'),
  ...schedule.times(),
  variables: jsonList(
    listed('pipeline_schedules', 'variables'),
    rowValues<'pipeline_schedule_variables'>('v').columns('key', 'variable_type', 'raw'),
    db.selectFrom('pipeline_schedule_variables as v').where('v.pipeline_schedule_id', '=', ID).orderBy('v.key'),
  ),
  inputs: jsonList(
    listed('pipeline_schedules', 'inputs'),
    rowValues<'pipeline_schedule_inputs'>('v').columns('name'),
    db.selectFrom('pipeline_schedule_inputs as v').where('v.pipeline_schedule_id', '=', ID).orderBy('v.name'),
  ),
};

const environment = rowValues<'environments'>('x');

const environmentValues: AttributeValues = {
  ...environment.columns('id', 'name', 'slug', 'external_url', 'description', 'state', 'tier'),
  auto_stop_at: environment.instant('auto_stop_at'),
  ...environment.columns('auto_stop_setting', 'kubernetes_namespace', 'flux_resource_path'),
  ...environment.times(),
};

const protectedEnvironment = rowValues<'protected_environments'>('x');

const protectedEnvironmentValues: AttributeValues = {
  ...protectedEnvironment.columns('id', 'name', 'required_approval_count'),
  ...protectedEnvironment.times(),
  deploy_access_levels: jsonList(
    listed('protected_environments', 'deploy_access_levels'),
    rowValues<'protected_environment_deploy_levels'>('l').columns('access_level', 'group_inheritance_type'),
    db
      .selectFrom('protected_environment_deploy_levels as l')
      .where('l.protected_environment_id', '=', ID)
      .where('l.access_level', 'is not', null)
      .orderBy('l.id'),
  ),
  approval_rules: jsonList(
    listed('protected_environments', 'approval_rules'),
    rowValues<'protected_environment_approval_rules'>('l').columns(
      ...(['access_level', 'group_inheritance_type', 'required_approvals'] as const),
    ),
    db
      .selectFrom('protected_environment_approval_rules as l')
      .where('l.protected_environment_id', '=', ID)
      .orderBy('l.id'),
  ),
};

const snippet = rowValues<'snippets'>('x');

const snippetValues = (ctx: Context): AttributeValues => ({
  ...snippet.columns('id', 'title', 'description', 'author_id'),
  visibility_level: db
    .case(snippet.ref('visibility'))
    .when(constant('public'))
    .then(constant(VISIBILITY_LEVELS.public))
    .when(constant('internal'))
    .then(constant(VISIBILITY_LEVELS.internal))
    .else(constant(VISIBILITY_LEVELS.private))
    .end(),
  file_name: sql<string | null>`${snippet.ref('file_paths')}[1]`,
  // What is in its files is in the bundle of its repository.
  content: constant(null),
  ...snippet.times(),
  author: authorOf(snippet.ref('author_id')),
  award_emoji: awardsJson('snippet'),
  notes: notesJson(ctx, 'Snippet', 'snippet_id'),
});

const { badges, ...shared } = containerReaders('project');

const readers: Readonly<Record<string, RelationReader>> = {
  ...shared,
  project_badges: badges,
  issues: readerOf('project', db.selectFrom('issues as x'), 'iid', issueValues),
  merge_requests: readerOf('project', db.selectFrom('merge_requests as x'), 'iid', mergeRequestValues),
  protected_branches: readerOf('project', db.selectFrom('protected_branches as x'), 'id', () => protectedBranchValues),
  protected_tags: readerOf('project', db.selectFrom('protected_tags as x'), 'id', () => protectedTagValues),
  pipeline_schedules: readerOf('project', db.selectFrom('pipeline_schedules as x'), 'id', () => scheduleValues),
  environments: readerOf('project', db.selectFrom('environments as x'), 'id', () => environmentValues),
  protected_environments: readerOf(
    'project',
    db.selectFrom('protected_environments as x'),
    'id',
    () => protectedEnvironmentValues,
  ),
  snippets: readerOf('project', db.selectFrom('snippets as x'), 'id', snippetValues),
};

/** The relations of a project that are read, in the order of the format. */
export const readProjectRelations = withReaders(projectRelations, readers);
