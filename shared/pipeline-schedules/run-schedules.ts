import type { Context } from '../core/context.js';
import { Caller } from '../core/context.js';
import { columns, raw, sql } from '../core/sql.js';
import { projectAccess, today } from '../members/access.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import { insertPipelines } from '../pipelines/insert-pipelines.js';
import { Project } from '../projects/project.entity.js';
import type { ProjectRecord } from '../projects/project.finder.js';
import { projectPolicy, writable } from '../projects/project.policy.js';
import { mayRunOnRef } from '../repositories/ref-rules.js';
import { isTagRef, shortRef } from '../repositories/repository-ref.finder.js';
import { loadInputs, loadVariables } from './schedule-values.js';

interface PendingRun {
  id: number;
  trigger: 'cron' | 'play';
  project_id: number;
  schedule: { id: number; ref: string; active: boolean };
  project: ProjectRecord;
  user: { id: number; username: string; name: string; state: string; admin: boolean; external: boolean } | null;
  target_sha: string | null;
}

type Outcome = { state: 'fired'; sha: string } | { state: 'failed' | 'skipped'; reason: string };

/** Runs that are still pending, locked, with everything that decides about them, by one statement. */
function loadPending(ctx: Context, runIds: readonly number[]): Promise<PendingRun[]> {
  return ctx.query<PendingRun>(sql`
    select x.id, x.trigger, x.project_id,
           s.id as "schedule.id", s.ref as "schedule.ref", s.active as "schedule.active",
           ${columns(Project, 'p', 'project.')}, r.path as "project.full_path", r.name as "project.full_name",
           ${columns(Namespace, 'n', 'project.namespace.')},
           ${projectAccess(raw('coalesce(u.id, 0)'), today(ctx))} as "project.access",
           u.id as "user.id", u.username as "user.username", u.name as "user.name", u.state as "user.state",
           u.admin as "user.admin", u.external as "user.external", ref.target_sha as "target_sha"
      from pipeline_schedule_runs x
      join pipeline_schedules s on s.id = x.pipeline_schedule_id
      join projects p on p.id = s.project_id
      join namespaces n on n.id = p.namespace_id
      join routes r on r.project_id = p.id
      left join users u on u.id = case x.trigger when 'play' then x.user_id else s.owner_id end
      left join repository_refs ref on ref.project_id = p.id and ref.full_name = s.ref
     where x.id = any(${runIds}::bigint[]) and x.state = 'pending'
     order by x.id for update of x`);
}

/** Whether a run may fire, by the rights of its user at this moment (pipeline-schedules.md section 7). */
async function decide(ctx: Context, run: PendingRun): Promise<Outcome> {
  const { project, schedule, user } = run;
  if (!writable(project))
    return { state: 'skipped', reason: project.archived ? 'The project is archived.' : 'The project is marked for deletion.' };
  if (run.trigger === 'cron' && !schedule.active) return { state: 'skipped', reason: 'The schedule was deactivated.' };
  if (!user) return { state: 'failed', reason: 'The schedule has no owner: somebody must take ownership of it.' };
  if (user.state !== 'active') return { state: 'failed', reason: `The owner ${user.username} is ${user.state.replaceAll('_', ' ')}.` };
  const caller = new Caller({ ...user, namespace_id: null });
  if (!projectPolicy.create_pipeline(caller, project))
    return { state: 'failed', reason: `The owner ${user.username} may not create pipelines in this project.` };
  if (!(await mayRunOnRef(ctx.as(caller), project, schedule.ref)))
    return { state: 'failed', reason: `The owner ${user.username} may not run pipelines on ${describeRef(schedule.ref)}.` };
  if (run.target_sha === null) return { state: 'failed', reason: `The ${describeRef(schedule.ref)} is gone.` };
  return { state: 'fired', sha: run.target_sha };
}

function describeRef(ref: string): string {
  return `${isTagRef(ref) ? 'tag' : 'branch'} ${shortRef(ref)}`;
}

/**
 * Makes the pipelines of many runs, each with its own user's rights, in the caller's transaction. A run that is no
 * longer pending was done before and is left alone, so a repeat changes nothing. What a user got wrong is recorded
 * and finished; only a fault of ours throws, and the queue tries again.
 */
export async function runSchedules(ctx: Context, runIds: readonly number[]): Promise<void> {
  const runs = await loadPending(ctx, runIds);
  if (runs.length === 0) return;
  const outcomes = await Promise.all(runs.map((run) => decide(ctx, run)));
  const firing = runs.flatMap((run, index) => {
    const outcome = outcomes[index] as Outcome;
    return outcome.state === 'fired' ? [{ run, sha: outcome.sha }] : [];
  });
  const scheduleIds = firing.map(({ run }) => run.schedule.id);
  const [variables, inputs] =
    firing.length > 0
      ? [await loadVariables(ctx, scheduleIds), await loadInputs(ctx, scheduleIds)]
      : [new Map(), new Map()];
  const pipelineIds = await insertPipelines(
    ctx,
    firing.map(({ run, sha }) => ({
      project_id: run.project_id,
      ref: run.schedule.ref,
      sha,
      source: 'schedule',
      user_id: (run.user as { id: number }).id,
      pipeline_schedule_id: run.schedule.id,
      variables: variables.get(run.schedule.id) ?? [],
      inputs: Object.fromEntries(
        (inputs.get(run.schedule.id) ?? []).map((input: { name: string; value: unknown }) => [input.name, input.value]),
      ),
    })),
  );
  const pipelineOf = new Map(firing.map(({ run }, index) => [run.id, pipelineIds[index] as number]));
  await finishRuns(ctx, runs, outcomes, pipelineOf);
}

async function finishRuns(ctx: Context, runs: PendingRun[], outcomes: Outcome[], pipelineOf: Map<number, number>) {
  await ctx.query(sql`
    update pipeline_schedule_runs x
       set state = u.state, reason = u.reason, pipeline_id = u.pipeline_id, user_id = u.user_id,
           started_at = ${ctx.clock.now()}
      from unnest(${runs.map((run) => run.id)}::bigint[], ${outcomes.map((outcome) => outcome.state)}::text[],
                  ${outcomes.map((outcome) => ('reason' in outcome ? outcome.reason : null))}::text[],
                  ${runs.map((run) => pipelineOf.get(run.id) ?? null)}::bigint[],
                  ${runs.map((run) => run.user?.id ?? null)}::bigint[])
        as u (id, state, reason, pipeline_id, user_id)
     where x.id = u.id`);
}
