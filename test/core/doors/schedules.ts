import type { ProjectRecord } from '../../../shared/tenancy/projects/project.entity.js';
import { sql } from 'kysely';
import { runSchedules } from '../../../shared/ci/pipeline-schedule-runs/run-schedules.js';
import type { TestApp } from '../app.js';
import type { BuiltUser } from '../builders.js';
import { mutates } from './rule.js';

export type BuiltProject = ProjectRecord & { owner: BuiltUser };

export const NIGHTLY = { description: 'Nightly', cron: '0 1 * * *' };

/** A schedule of a user's on a ref, whether they may have one there or not. */
export async function getSchedule(app: TestApp, project: BuiltProject, user: BuiltUser, ref: string) {
  const { id } = await app.build.schedule({ project, owner: project.owner, ref: 'main' });
  const full = ref.startsWith('refs/') ? ref : `refs/heads/${ref}`;
  await app.context().query(sql`
    update pipeline_schedules set owner_id = ${user.id}, ref = ${full} where id = ${id}`);
  return {
    id,
    path: `/projects/${project.id}/pipeline_schedules/${id}`,
    gid: `gid://service/Ci::PipelineSchedule/${id}`,
  };
}

/** Runs a due or user-requested run by the worker. @returns the pipeline, or null for none */
export async function runByWorker(
  app: TestApp,
  schedule: { id: number },
  player: BuiltUser | null = null,
): Promise<number | null> {
  const ctx = app.context();
  const now = app.clock.now();
  const [run] = await ctx.query<{ id: number }>(sql`
    insert into pipeline_schedule_runs (project_id, pipeline_schedule_id, due_at, trigger, user_id, state, created_at)
    select s.project_id, s.id, ${now}, ${player ? 'play' : 'cron'}, ${player?.id ?? null}, 'pending', ${now}
      from pipeline_schedules s where s.id = ${schedule.id} returning id as "id"`);
  await ctx.transaction(() => runSchedules(ctx, [run?.id as number]));
  const [done] = await ctx.query<{ state: string; pipeline_id: number | null }>(sql`
    select x.state, x.pipeline_id from pipeline_schedule_runs x where x.id = ${run?.id}`);
  if (done?.state === 'pending') throw new Error('The worker left the run as it was.');
  return done?.pipeline_id ?? null;
}

/** Making a schedule by GraphQL. */
export const createByGraphql = (app: TestApp, user: BuiltUser, project: BuiltProject, input: Record<string, unknown>) =>
  mutates(app, user, 'pipelineScheduleCreate', { ...NIGHTLY, projectPath: project.full_path, ...input });
