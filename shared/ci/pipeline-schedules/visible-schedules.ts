import type { UserSummary } from '../../tenancy/users/user.record.js';
import type { Context } from '../../core/context.js';
import type { TextList, OrderStep } from '../../core/list.js';
import { byId } from '../../core/list.js';
import { and, or, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { ACCESS_LEVELS } from '../../core/policy.js';
import { memberOfProject, today } from '../../tenancy/access/access.js';
import { openToAll } from '../../tenancy/projects/project.finder.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import { PipelineSchedule } from './pipeline-schedule.entity.js';

/** A schedule in a list that crosses projects. */
export interface VisibleSchedule extends PipelineSchedule {
  owner: UserSummary | null;
  project: { id: number; name: string; path: string; full_name: string; full_path: string };
}

/** Where schedules without a next run stand in an order by it: after all others. The index of the order says the same. */
const NO_NEXT_RUN = '9999-12-31T23:59:59.999Z';

/**
 * Whose CI the caller may read: the rule of `read_pipeline_schedule` as a condition on project `p`, that of
 * `read_project` in it. Each kind of membership is asked about once, which is most of what a list costs.
 */
export function readsSchedules(ctx: Context): Fragment {
  const { caller } = ctx;
  const open = sql`p.removal_started_at is null and p.builds_access_level <> 'disabled'`;
  if (caller.admin) return open;
  if (caller.anonymous) return sql`false`;
  const everybody = and([openToAll(caller), sql`p.builds_access_level = 'enabled'`]);
  const member = (level: number) => memberOfProject(caller.id, today(ctx), level);
  const publicJobs = and([sql`p.public_jobs`, or([everybody, member(ACCESS_LEVELS.guest)])]);
  return and([open, or([publicJobs, member(ACCESS_LEVELS.reporter)])]);
}

/** Who sees one schedule in ten has ten looked at for each that counts. */
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
      expression: sql`coalesce(s.next_run_at, timestamptz '9999-12-31 23:59:59.999+00')`,
      direction,
      type: 'instant',
      value: (schedule) => schedule.next_run_at?.toISOString() ?? NO_NEXT_RUN,
    },
    last,
  ];
}

/**
 * Schedules of all projects that the caller may read, by the same rule as `read_pipeline_schedule` of the policy;
 * filters are added to `where`, conditions on schedule `s` and project `p`. `T` is what a reader makes of them.
 */
export function visibleSchedules<T extends VisibleSchedule = VisibleSchedule>(
  ctx: Context,
  where: readonly Fragment[],
  order: readonly OrderStep<T>[],
): TextList<T> {
  return {
    select: sql`${textColumns(PipelineSchedule, 's')}, ${userSummaryColumns('o', 'owner.')}, p.id as "project.id",
      p.name as "project.name", p.path as "project.path", r.name as "project.full_name", r.path as "project.full_path"`,
    from: sql`pipeline_schedules s join projects p on p.id = s.project_id join routes r on r.project_id = p.id
      left join users o on o.id = s.owner_id`,
    matching: sql`pipeline_schedules s join projects p on p.id = s.project_id`,
    where: [readsSchedules(ctx), ...where],
    order,
    countLimit: COUNTED,
    keyset: { type: 'PipelineSchedule', by: 'cursor', offered: true },
  };
}
