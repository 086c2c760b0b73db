import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant, contains, likeLiteral } from '../../core/database/expressions.js';
import { byId, narrow } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import { boolean, list, oneOf, optional, text } from '../../core/operations/fields.js';
import { memberOfGroup, memberOfProject } from '../../tenancy/namespaces/access.js';
import { forCaller } from '../../tenancy/namespaces/for-caller.js';
import type { GroupRecord } from '../../tenancy/groups/group.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { CiDatabase } from '../ci.entities.js';
import { selectRunners } from './runner.finder.js';
import type { RunnerRecord } from './runner.finder.js';
import { RUNNER_TYPES } from './runner.serializer.js';
import { hasRunnerStatus, onRunners, RUNNER_STATUSES } from './runner-status.js';

const MAINTAINER = 40;
const OWNER = 50;
const MAX_TAGS = 50;

/** Filters of every list of runners. */
export const runnerFilterParams = {
  type: optional(oneOf(RUNNER_TYPES)).describe('Type of the runners.'),
  status: optional(oneOf([...RUNNER_STATUSES, 'active', 'paused'])).describe(
    'Status of the runners; `active` and `paused` of earlier versions are the filter `paused`.',
  ),
  paused: optional(boolean()).describe('If `true`, only paused runners; if `false`, only those that get jobs.'),
  tag_list: optional(list(text(), { commas: true, max: MAX_TAGS })).describe(
    'Tags that the runners have, all of them.',
  ),
  version_prefix: optional(text()).describe('First characters of the version of one of their programs.'),
};

export type RunnerFilters = z.output<z.ZodObject<typeof runnerFilterParams>>;

function isPaused({ paused, status }: RunnerFilters): boolean | undefined {
  return status === 'active' || status === 'paused' ? status === 'paused' : paused;
}

function filterConditions(ctx: Context, filters: RunnerFilters): Expression<SqlBool>[] {
  const { type, status, tag_list: tags = [], version_prefix: version } = filters;
  const paused = isPaused(filters);
  const conditions: Expression<SqlBool>[] = tags.map((tag) =>
    contains(onRunners.ref('r.tag_list'), onRunners.val(tag)),
  );
  if (type !== undefined) conditions.push(onRunners('r.runner_type', '=', type));
  if (paused !== undefined) conditions.push(onRunners('r.paused', '=', paused));
  if (status !== undefined && status !== 'active' && status !== 'paused')
    conditions.push(hasRunnerStatus(status, ctx.clock.now()));
  if (version !== undefined)
    conditions.push(
      onRunners.exists(
        onRunners
          .selectFrom('runner_managers as m')
          .select(constant(1).as('one'))
          .whereRef('m.runner_id', '=', 'r.id')
          .where('m.version', 'like', `${likeLiteral(version)}%`),
      ),
    );
  return conditions;
}

/** Runners that meet a condition and the filters, the newest first. */
export function listRunnersWhere(
  ctx: Context,
  condition: Expression<SqlBool>,
  filters: RunnerFilters,
): List<RunnerRecord> {
  const all: List<RunnerRecord> = {
    matching: expressionBuilder<CiDatabase>().selectFrom('runners as r'),
    select: selectRunners,
    order: [byId('r', 'desc')],
  };
  return narrow(all, [condition, ...filterConditions(ctx, filters)]);
}

const ofType = (type: (typeof RUNNER_TYPES)[number]) => onRunners('r.runner_type', '=', constant(type));

const assignedTo = (projectId: number) =>
  onRunners(
    'r.id',
    'in',
    onRunners.selectFrom('runner_projects as rp').select('rp.runner_id').where('rp.project_id', '=', projectId),
  );

/** Runners of projects of which the caller is a Maintainer, and of groups of which they are an Owner. */
export const ownRunnersCondition = forCaller(({ userId, day }) => {
  const ofProjects = expressionBuilder<CiDatabase>()
    .selectFrom('runner_projects as rp')
    .innerJoin('projects as p', 'p.id', 'rp.project_id')
    .select('rp.runner_id')
    .where(memberOfProject(userId as never, day, MAINTAINER));
  const ofGroups = expressionBuilder<CiDatabase>()
    .selectFrom('namespaces as n')
    .select('n.id')
    .where(memberOfGroup(userId as never, day, OWNER));
  return onRunners.or([onRunners('r.id', 'in', ofProjects), onRunners('r.namespace_id', 'in', ofGroups)]);
});

/** Runners that the project may use: its own, and those of the groups above it and of the instance where it lets them. */
export function projectRunnersCondition(
  project: ProjectRecord,
  settings: { group_runners_enabled: boolean; shared_runners_enabled: boolean },
): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = [assignedTo(project.id)];
  if (settings.group_runners_enabled)
    conditions.push(onRunners('r.namespace_id', '=', anyOf(project.namespace.traversal_ids, 'bigint')));
  if (settings.shared_runners_enabled) conditions.push(ofType('instance_type'));
  return onRunners.or(conditions);
}

/** Runners of the group and of those above it, and those of the instance where projects of the group may use them. */
export function groupRunnersCondition(group: GroupRecord): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = [onRunners('r.namespace_id', '=', anyOf(group.traversal_ids, 'bigint'))];
  if (group.settings.shared_runners_setting === 'enabled') conditions.push(ofType('instance_type'));
  return onRunners.or(conditions);
}
