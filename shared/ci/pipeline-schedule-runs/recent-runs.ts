import { integer, list, withDefault } from '../../core/fields.js';
import { instance, operation } from '../../core/operation.js';
import { out, shape } from '../../core/shape.js';
import { sql } from '../../core/sql.js';
import { readsSchedules } from '../pipeline-schedules/visible-schedules.js';
import { runLateness, runOutcome, RUN_OUTCOMES } from './schedule-run.shape.js';
import type { RunRecord } from './schedule-run.shape.js';

/** Schedules asked about at a time, and runs told of each. */
const SCHEDULES_AT_MOST = 100;
const RUNS_AT_MOST = 30;

const recentRun = shape<RunRecord>('RecentPipelineScheduleRun', {
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
export const recentRunsShape = shape<RecentRuns>('RecentPipelineScheduleRuns', {
  pipeline_schedule_id: out.integer((recent) => recent.pipeline_schedule_id),
  runs: out.records(recentRun, (recent) => recent.runs),
});

/** The newest runs of many schedules, by one statement: those of a page of a list. */
export const listRecentRunsOfSchedules = operation({
  name: 'listRecentRunsOfSchedules',
  summary: 'List the newest runs of several pipeline schedules',
  example: { ids: [1] },
  subject: instance,
  kind: 'read',
  statements: 3,
  params: {
    ids: list(integer(), { commas: true, max: SCHEDULES_AT_MOST }).describe(
      `Ids of schedules, ${SCHEDULES_AT_MOST} at most. What the caller may not see is left out.`,
    ),
    count: withDefault(
      integer().refine((count) => count >= 1 && count <= RUNS_AT_MOST, 'does not have a valid value'),
      RUNS_AT_MOST,
    ).describe(`How many of each, 1 to ${RUNS_AT_MOST}.`),
  },
  async run(ctx, _instance, { ids, count }): Promise<RecentRuns[]> {
    const rows = await ctx.query<RunRecord & { pipeline_schedule_id: number }>(sql`
      select s.id as pipeline_schedule_id, newest.* from pipeline_schedules s join projects p on p.id = s.project_id
       cross join lateral (
         select x.id, x.due_at, x.started_at, x.state, x.cause, x.reason, x.pipeline_id, x.trigger, true as recorded
           from pipeline_schedule_runs x where x.pipeline_schedule_id = s.id order by x.id desc limit ${count}) newest
       where s.id = any(${ids}::bigint[]) and ${readsSchedules(ctx)} order by newest.id`);
    const runs = new Map<number, RunRecord[]>(ids.map((id) => [id, []]));
    for (const row of rows) runs.get(row.pipeline_schedule_id)?.push(row);
    return [...runs]
      .filter(([, found]) => found.length > 0)
      .map(([id, found]) => ({ pipeline_schedule_id: id, runs: found }));
  },
});
