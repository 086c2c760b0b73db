import { sql } from 'kysely';
import type { Expression } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { visibleEpics } from '../../planning/epics/visible-epics.js';
import type { ArchiveAttributes } from '../format/attributes.js';
import { projectRelations } from '../format/project-relations.js';
import { getRelationReader } from './container-readers.js';
import { dayJson, db, jsonList, NO_ELEMENTS, plainObject, plainRow, rowValues } from './json-values.js';
import type { AttributeValues } from './json-values.js';
import {
  serializeAuthor,
  awardsJson,
  eventsJson,
  ID,
  serializeLabelEvents,
  serializeLabelLinks,
  serializeMilestoneEvents,
  serializeMilestone,
  notesJson,
  notesList,
  serializeStateEvents,
  within,
} from './record-values.js';

/** The attributes of the objects in a list of a relation of projects. */
export const listed = (relation: string, name: string): ArchiveAttributes =>
  within(projectRelations.find((one) => one.name === relation)?.attributes[name]);

const user = rowValues<'users'>('us');

/** A user `us` related to a record, as written to archives. */
const person: AttributeValues = {
  user_id: user.ref('id'),
  user: plainObject(user.columns('public_email', 'username', 'name')),
};

/** Issues and merge requests have tables with their names as prefixes; typed like those of issues. */
type Issuable = 'issue' | 'merge_request';

/** Rows `t` of a table that belong to the record, each with its user `us`. */
const withUsers = (name: Issuable, things: 'assignees' | 'reviewers' | 'approvals') =>
  db
    .selectFrom(`${name}_${things} as t` as 'issue_assignees as t')
    .innerJoin('users as us', 'us.id', 't.user_id')
    .where(`t.${name}_id` as 't.issue_id', '=', ID)
    .orderBy('us.id');

const timelog = rowValues<'issue_timelogs'>('t');

const getTimelogs = (relation: string, name: Issuable) =>
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
  author: serializeAuthor(issue.ref('author_id')),
  milestone: serializeMilestone(issue.ref('milestone_id')),
  epic: ctx.hasPlan('premium') ? EPIC : constant(null),
  issue_assignees: jsonList(listed('issues', 'issue_assignees'), person, withUsers('issue', 'assignees')),
  label_links: serializeLabelLinks('issue'),
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
  timelogs: getTimelogs('issues', 'issue'),
  award_emoji: awardsJson('issue'),
  notes: notesJson(ctx, 'Issue', 'issue_id'),
  events: eventsJson('issue_id'),
  resource_label_events: serializeLabelEvents('issue'),
  resource_milestone_events: serializeMilestoneEvents('issue'),
  resource_state_events: serializeStateEvents('issue'),
  resource_weight_events: jsonList(
    listed('issues', 'resource_weight_events'),
    { ...weightEvent.columns('user_id', 'weight'), created_at: weightEvent.instant('created_at') },
    db.selectFrom('issue_weight_events as ev').where('ev.issue_id', '=', ID).orderBy('ev.id'),
  ),
});

const DIFF_NOTES = listed('merge_requests', 'notes');

const suggestion = rowValues<'suggestions'>('su');

/** The diff positions of notes, and their suggestions. */
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
  author: serializeAuthor(mergeRequest.ref('author_id')),
  milestone: serializeMilestone(mergeRequest.ref('milestone_id')),
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
  label_links: serializeLabelLinks('merge_request'),
  timelogs: getTimelogs('merge_requests', 'merge_request'),
  award_emoji: awardsJson('merge_request'),
  notes: notesList(ctx, {
    type: 'MergeRequest',
    column: 'merge_request_id',
    attributes: DIFF_NOTES,
    more: onDiffs,
  }),
  events: eventsJson('merge_request_id'),
  resource_label_events: serializeLabelEvents('merge_request'),
  resource_milestone_events: serializeMilestoneEvents('merge_request'),
  resource_state_events: serializeStateEvents('merge_request'),
});

/** The epic above, as far as the exporter may read it. */
const getParent = (ctx: Context, value: Expression<unknown>) =>
  db
    .selectFrom('epics as i')
    .innerJoin('namespaces as n', 'n.id', 'i.namespace_id')
    .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
    .select(sql`${value}`.as('value'))
    .where('i.id', '=', sql.ref<number>('x.parent_id'))
    .where(visibleEpics(ctx))
    .$asScalar();

const parent = rowValues<'epics'>('i');

const PARENT = jsonBuildObject({
  id: parent.ref('id'),
  iid: parent.ref('iid'),
  title: parent.ref('title'),
  state: parent.ref('state'),
  group_id: parent.ref('namespace_id'),
  confidential: parent.ref('confidential'),
});

const epic = rowValues<'epics'>('x');

/** A date, if it is fixed; inherited dates come from issues, which are not part of the archive. */
const fixedDay = (name: 'start_date' | 'due_date') =>
  dayJson(
    db
      .case()
      .when(epic.ref(`${name}_is_fixed`), '=', constant(true))
      .then(epic.ref(`${name}_fixed`))
      .end(),
  );

const epicValues = (ctx: Context): AttributeValues => ({
  ...epic.columns('id', 'iid', 'title', 'description', 'state', 'author_id'),
  group_id: epic.ref('namespace_id'),
  parent_id: getParent(ctx, parent.ref('id')),
  start_date: fixedDay('start_date'),
  end_date: fixedDay('due_date'),
  start_date_fixed: epic.day('start_date_fixed'),
  due_date_fixed: epic.day('due_date_fixed'),
  ...epic.columns('start_date_is_fixed', 'due_date_is_fixed', 'confidential', 'color', 'relative_position'),
  closed_at: epic.instant('closed_at'),
  closed_by_id: epic.ref('closed_by_id'),
  last_edited_at: epic.instant('last_edited_at'),
  ...epic.times(),
  author: serializeAuthor(epic.ref('author_id')),
  parent: getParent(ctx, PARENT),
  award_emoji: awardsJson('epic'),
  label_links: serializeLabelLinks('epic'),
  notes: notesJson(ctx, 'Epic', 'epic_id'),
  events: eventsJson(null),
  resource_state_events: serializeStateEvents('epic'),
  resource_label_events: serializeLabelEvents('epic'),
});

export const epicReader = getRelationReader(
  'group',
  db
    .selectFrom('epics as x')
    .innerJoin('namespaces as n', 'n.id', 'x.namespace_id')
    .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id'),
  'iid',
  epicValues,
  { where: (ctx) => visibleEpics(ctx, 'x') },
);

export const issueReader = getRelationReader('project', db.selectFrom('issues as x'), 'iid', issueValues);

export const mergeRequestReader = getRelationReader(
  'project',
  db.selectFrom('merge_requests as x'),
  'iid',
  mergeRequestValues,
);
