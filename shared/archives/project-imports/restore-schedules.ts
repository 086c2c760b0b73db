import { sql } from '../../core/sql.js';
import { scheduleLimits } from '../../ci/pipeline-schedules/schedule-limits.js';
import { nextRunAt, scheduleProblems } from '../../ci/pipeline-schedules/schedule-rules.js';
import { rowsOfRelation, timeOf } from '../archive-imports/restoring.js';
import type { Restorer, RestoringProject } from '../archive-imports/restoring.js';

const RELATION = 'pipeline_schedules';
/** Schedules of a project at most, where the instance has no limit. */
const MOST = 1000;

interface Row {
  line: number;
  description: string;
  ref: string;
  cron: string;
  cron_timezone: string;
  missed_policy: string | null;
}

/** The branch or tag that a schedule runs on, by its full name. */
const fullRef = (ref: string) => (ref.startsWith('refs/') ? ref : `refs/heads/${ref}`);

/** Writes down which rows are no schedules, and why. */
async function noteProblems(
  restoring: RestoringProject,
  problems: readonly { line: number; problem: string }[],
): Promise<void> {
  await restoring.ctx.query(sql`
    update archive_import_rows r set problem = x.problem
      from jsonb_to_recordset(${JSON.stringify(problems)}::jsonb) as x (line integer, problem text)
     where ${rowsOfRelation(restoring, RELATION)} and r.line = x.line`);
}

/** The first ones that are schedules by the rules for every new one; what is wrong with others is noted. */
async function fitting(restoring: RestoringProject): Promise<(Row & { next: Date | null })[]> {
  const { ctx } = restoring;
  const most = scheduleLimits(ctx).perProject || MOST;
  const rows = await ctx.query<Row>(sql`
    select r.line as "line", r.data ->> 'description' as "description", r.data ->> 'ref' as "ref",
           coalesce(r.data ->> 'cron', '') as "cron", coalesce(r.data ->> 'cron_timezone', 'UTC') as "cron_timezone",
           r.data ->> 'missed_policy' as "missed_policy"
      from archive_import_rows r where ${rowsOfRelation(restoring, RELATION)} order by r.line limit ${most}`);
  const now = ctx.clock.now();
  const problems: { line: number; problem: string }[] = [];
  const fit = rows.flatMap((row) => {
    const [problem] = Object.entries(scheduleProblems(row, now));
    if (problem === undefined) return [{ ...row, ref: fullRef(row.ref), next: nextRunAt(row, now) }];
    problems.push({ line: row.line, problem: `${problem[0]} ${problem[1].join(', ')}` });
    return [];
  });
  await noteProblems(restoring, problems);
  const last = rows.at(-1)?.line ?? 0;
  await ctx.query(sql`
    update archive_import_rows r set problem = ${`is one more than the ${most} schedules that a project may have`}
     where ${rowsOfRelation(restoring, RELATION)} and r.line > ${last}`);
  return fit;
}

/** Pipeline schedules: inactive, and their importer's. Values of their variables were not in the archive. */
export const scheduleRestorer: Restorer<RestoringProject> = {
  relation: RELATION,
  async restore(restoring) {
    const {
      ctx,
      container: { record: project },
    } = restoring;
    const rows = await fitting(restoring);
    await ctx.query(sql`
      update archive_import_rows r set made_id = nextval(pg_get_serial_sequence('pipeline_schedules', 'id'))
       where ${rowsOfRelation(restoring, RELATION)} and r.line = any(${rows.map(({ line }) => line)}::integer[])`);
    await ctx.query(sql`
      insert into pipeline_schedules (id, project_id, owner_id, description, ref, cron, cron_timezone, active,
                                      missed_policy, next_run_at, created_at, updated_at)
      select r.made_id, ${project.id}::bigint, ${ctx.caller.id}::bigint, x.description, x.ref, x.cron, x.cron_timezone,
             false, coalesce(x.missed_policy, 'last'), x.next, ${timeOf(restoring, 'created_at')},
             ${timeOf(restoring, 'updated_at')}
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
             as x (line integer, description text, ref text, cron text, cron_timezone text, missed_policy text, next timestamptz)
        join archive_import_rows r on ${rowsOfRelation(restoring, RELATION)} and r.line = x.line
       order by x.line`);
  },
};
