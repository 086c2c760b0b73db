import { sql } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { SCHEDULE_SETTINGS } from '../../ci/pipeline-schedules/schedule-settings.js';
import { constant } from '../../core/database/expressions.js';
import type { ByContainer } from '../../core/operations/container.js';
import { groupRelations, VISIBILITY_LEVELS } from '../format/group-relations.js';
import { projectRelations } from '../format/project-relations.js';
import { containerReaders, getRelationReader } from './container-readers.js';
import { epicReader, issueReader, listed, mergeRequestReader } from './issuable-readers.js';
import { db, jsonList, rowValues } from './json-values.js';
import type { AttributeValues } from './json-values.js';
import { withReaders } from './read-relation.js';
import type { ReadRelation } from './read-relation.js';
import { serializeAuthor, awardsJson, ID, notesJson, serializePerson } from './record-values.js';

const NOTHING = constant(null);

const member = rowValues<'group_members'>('x');

/** A direct member `x` of a group, with notification settings `ns`. */
const memberValues: AttributeValues = {
  ...member.columns('id', 'access_level'),
  source_id: member.ref('namespace_id'),
  source_type: constant('Namespace'),
  user_id: member.ref('user_id'),
  notification_level: db.fn.coalesce(sql.ref<number | null>('ns.level'), constant(3)),
  created_at: member.instant('created_at'),
  updated_at: member.instant('created_at'),
  created_by_id: member.ref('created_by_id'),
  invite_email: NOTHING,
  invite_token: NOTHING,
  invite_accepted_at: NOTHING,
  requested_at: NOTHING,
  expires_at: member.day('expires_on'),
  user: serializePerson(member.ref('user_id')),
};

const memberReader = getRelationReader(
  'group',
  db
    .selectFrom('group_members as x')
    .innerJoin('users as u', 'u.id', 'x.user_id')
    .leftJoin('group_notification_settings as ns', (join) =>
      join.onRef('ns.namespace_id', '=', 'x.namespace_id').onRef('ns.user_id', '=', 'x.user_id'),
    )
    // A bot is the user of a group access token.
    .where('u.bot', '=', constant(false)),
  'user_id',
  () => memberValues,
);

/** Users shown on boards: if the plan has no epics, an archive does not include their authors. */
const IS_ON_BOARDS = db.exists(
  db
    .selectFrom('boards as b')
    .leftJoin('board_lists as bl', 'bl.board_id', 'b.id')
    .select('b.id')
    .where('b.namespace_id', '=', sql.ref<number>('x.namespace_id'))
    .where((eb) =>
      eb.or([
        eb('b.assignee_id', '=', sql.ref<number>('x.user_id')),
        eb('bl.assignee_id', '=', sql.ref<number>('x.user_id')),
      ]),
    ),
);

/**
 * Roles that a protected branch or tag rule allows to perform an action; the tables of both kinds have the same
 * structure.
 */
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
  ...schedule.columns('id', 'description', 'ref', 'cron', 'cron_timezone', 'active', ...SCHEDULE_SETTINGS),
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
  // The content of its files is in the bundle of its repository.
  content: constant(null),
  ...snippet.times(),
  author: serializeAuthor(snippet.ref('author_id')),
  award_emoji: awardsJson('snippet'),
  notes: notesJson(ctx, 'Snippet', 'snippet_id'),
});

const ofGroups = containerReaders('group');
const { badges, ...ofProjects } = containerReaders('project');

/** The relations that are read, in the order of the format. */
export const readRelations: ByContainer<readonly ReadRelation[]> = {
  group: withReaders(groupRelations, {
    ...ofGroups,
    members: memberReader,
    namespace_settings: getRelationReader('group', db.selectFrom('group_settings as x'), 'id', () =>
      rowValues<'group_settings'>('x').columns('prevent_sharing_groups_outside_hierarchy'),
    ),
    user_contributions: {
      ...ofGroups.user_contributions,
      where: (ctx) => (ctx.hasPlan('premium') ? constant(true) : IS_ON_BOARDS),
    },
    epics: epicReader,
  }),
  project: withReaders(projectRelations, {
    ...ofProjects,
    project_badges: badges,
    issues: issueReader,
    merge_requests: mergeRequestReader,
    protected_branches: getRelationReader(
      'project',
      db.selectFrom('protected_branches as x'),
      'id',
      () => protectedBranchValues,
    ),
    protected_tags: getRelationReader('project', db.selectFrom('protected_tags as x'), 'id', () => protectedTagValues),
    pipeline_schedules: getRelationReader(
      'project',
      db.selectFrom('pipeline_schedules as x'),
      'id',
      () => scheduleValues,
    ),
    environments: getRelationReader('project', db.selectFrom('environments as x'), 'id', () => environmentValues),
    protected_environments: getRelationReader(
      'project',
      db.selectFrom('protected_environments as x'),
      'id',
      () => protectedEnvironmentValues,
    ),
    snippets: getRelationReader('project', db.selectFrom('snippets as x'), 'id', snippetValues),
  }),
};
