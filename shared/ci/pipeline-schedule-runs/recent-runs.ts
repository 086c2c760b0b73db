import { columns } from '../../core/database/columns.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { integer, list, withDefault } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { CiDatabase } from '../ci.entities.js';
import { PipelineScheduleRun } from '../pipeline-schedules/pipeline-schedule.entity.js';
import { readsSchedules } from '../pipeline-schedules/visible-schedules.js';
import { runLateness, runOutcome, RUN_COLUMNS, RUN_OUTCOMES } from './schedule-run.serializer.js';
import type { RunRecord } from './schedule-run.serializer.js';

/** Maximum number of schedules per request, and of runs returned for each. */
const SCHEDULES_AT_MOST = 100;
const RUNS_AT_MOST = 30;

const recentRun = serializer<RunRecord>('RecentPipelineScheduleRun', {
  id: out.integer((run) => run.id),
  due_at: out.instant((run) => run.due_at),
  outcome: out.text(runOutcome, { enum: RUN_OUTCOMES }),
  lateness_ms: out.nullableInteger(runLateness),
  cause: out.nullableText((run) => run.cause),
});

interface RecentRuns {
  pipeline_schedule_id: number;
  runs: RunRecord[];
}

/** The newest runs of one schedule of many, the oldest of them first. */
export const recentRunsSerializer = serializer<RecentRuns>('RecentPipelineScheduleRuns', {
  pipeline_schedule_id: out.integer((recent) => recent.pipeline_schedule_id),
  runs: out.records(recentRun, (recent) => recent.runs),
});

/** Lists the newest runs of many schedules, such as one page of a list, with one statement. */
export const listRecentRunsOfSchedules = operation({
  name: 'listRecentRunsOfSchedules',
  summary: 'List the newest runs of several pipeline schedules',
  example: { ids: [1] },
  resource: instance,
  kind: 'read',
  statements: 3,
  params: {
    ids: list(integer(), { commas: true, max: SCHEDULES_AT_MOST }).describe(
      `Ids of schedules, ${SCHEDULES_AT_MOST} at most. What the caller may not see is left out.`,
    ),
    count: withDefault(
      integer().refine((count) => count >= 1 && count <= RUNS_AT_MOST, 'does not have a valid value'),
      RUNS_AT_MOST,
    ).describe(`Number of runs of each schedule, from 1 to ${RUNS_AT_MOST}.`),
  },
  async run(ctx, _instance, { ids, count }): Promise<RecentRuns[]> {
    const rows = await ctx.em
      .getKysely<CiDatabase>()
      .selectFrom('pipeline_schedules as s')
      .innerJoin('projects as p', 'p.id', 's.project_id')
      .innerJoinLateral(
        (eb) =>
          eb
            .selectFrom('pipeline_schedule_runs as r')
            .select(columns(PipelineScheduleRun, 'r', RUN_COLUMNS))
            .whereRef('r.pipeline_schedule_id', '=', 's.id')
            .orderBy('r.id', 'desc')
            .limit(count)
            .as('x'),
        (join) => join.onTrue(),
      )
      .select([
        's.id as pipeline_schedule_id',
        ...columns(PipelineScheduleRun, 'x', RUN_COLUMNS),
        constant<boolean>(true).as('recorded'),
      ])
      .where('s.id', '=', anyOf(ids, 'bigint'))
      .where(readsSchedules(ctx))
      .orderBy('x.id')
      .execute();
    const runs = new Map<number, RunRecord[]>(ids.map((id) => [id, []]));
    for (const row of rows) runs.get(row.pipeline_schedule_id)?.push(row);
    return [...runs]
      .filter(([, found]) => found.length > 0)
      .map(([id, found]) => ({ pipeline_schedule_id: id, runs: found }));
  },
});
