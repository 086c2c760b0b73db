import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import type { Context } from '../../core/context/context.js';
import { nested } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import type { List, OrderStep } from '../../core/database/list.js';
import { byId, narrow } from '../../core/database/list.js';
import type { CiDatabase } from '../ci.entities.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { memberOfProject } from '../../tenancy/namespaces/access.js';
import { forCaller } from '../../tenancy/namespaces/for-caller.js';
import type { Viewer } from '../../tenancy/namespaces/for-caller.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { isOpenToAll } from '../../tenancy/projects/project.finder.js';
import type { PipelineSchedule } from './pipeline-schedule.entity.js';
import { onSchedules, selectSchedules } from './pipeline-schedule.finder.js';
import type { OfSchedules } from './pipeline-schedule.finder.js';

/** A schedule in a list that crosses projects. */
export interface VisibleSchedule extends PipelineSchedule {
  owner: UserSummary | null;
  project: { id: number; name: string; path: string; full_name: string; full_path: string };
}

/** Sort value of schedules without a next run: after all others. The index for this order uses the same value. */
const NO_NEXT_RUN = '9999-12-31T23:59:59.999Z';
const lastOfAll = onSchedules.cast<Date>(constant('9999-12-31 23:59:59.999+00'), 'timestamptz');

function readsCi(viewer: Viewer): Expression<SqlBool> {
  const eb = onSchedules;
  const open = eb.and([
    eb('p.removal_started_at', 'is', null),
    eb('p.builds_access_level', '<>', constant('disabled')),
  ]);
  if (viewer.admin) return open;
  if (viewer.anonymous) return constant(false);
  const everybody = eb.and([isOpenToAll(viewer), eb('p.builds_access_level', '=', constant('enabled'))]);
  const member = (level: number) => memberOfProject(viewer.userId, viewer.day, level);
  const publicJobs = eb.and([eb.ref('p.public_jobs'), eb.or([everybody, member(ACCESS_LEVELS.guest)])]);
  return eb.and([open, eb.or([publicJobs, member(ACCESS_LEVELS.reporter)])]);
}

/**
 * Projects whose CI the caller may read: the rule of `read_pipeline_schedule`, including `read_project`, as a condition
 * on project `p`. Each kind of membership is checked once, which is most of the cost of a list.
 */
export const readsSchedules = forCaller(readsCi);

/** Maximum count. A caller who sees one schedule in ten has ten read for each one counted. */
const COUNTED = 1_000;

/** How lists that cross projects may be ordered. */
export function scheduleOrder<T extends VisibleSchedule = VisibleSchedule>(
  by: 'id' | 'next_run_at',
  direction: 'asc' | 'desc',
): OrderStep<T>[] {
  const last = byId<T>('s', direction);
  if (by === 'id') return [last];
  return [
    {
      key: 'next_run_at',
      expression: onSchedules.fn.coalesce('s.next_run_at', lastOfAll),
      direction,
      type: 'instant',
      value: (schedule) => schedule.next_run_at?.toISOString() ?? NO_NEXT_RUN,
    },
    last,
  ];
}

/**
 * Schedules of all projects that the caller may read, by the same rule as `read_pipeline_schedule` of the policy.
 * Filters are added to `where` as conditions on schedule `s` and project `p`. `T` is the type the loader returns.
 */
export function visibleSchedules<T extends VisibleSchedule = VisibleSchedule>(
  ctx: Context,
  where: readonly Expression<SqlBool>[],
  order: readonly OrderStep<T>[],
): List<T> {
  const list: List<T> = {
    matching: expressionBuilder<CiDatabase>()
      .selectFrom('pipeline_schedules as s')
      .innerJoin('projects as p', 'p.id', 's.project_id'),
    select: (query: SelectQueryBuilder<OfSchedules, 'p' | 's', object>) =>
      selectSchedules(
        query.innerJoin('routes as r', 'r.project_id', 'p.id').select((eb) =>
          nested('project', Project, 'p', {
            only: ['id', 'name', 'path'],
            more: { full_name: eb.ref('r.name'), full_path: eb.ref('r.path') },
          }),
        ),
      ),
    order,
    countLimit: COUNTED,
    keyset: { type: 'PipelineSchedule', by: 'cursor', offered: true },
  };
  return narrow(list, [readsSchedules(ctx), ...where]);
}
