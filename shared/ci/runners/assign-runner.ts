import type { Context } from '../../core/context/context.js';
import { Forbidden, Invalid, NotFound } from '../../core/values/errors.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { ProjectSummary } from '../../tenancy/tenancy.events.js';
import { insertAssignment, lockRunnersOfProject } from './create-runner.js';
import { findRunner, lockRunnerRow, noAccess } from './found-runner.js';
import type { FoundRunner } from './found-runner.js';
import { RunnerProject } from './runner.entity.js';
import { runnerPolicy } from './runner.policy.js';

function noteAssignment({ id, runner_type, description, owner }: FoundRunner, project: ProjectRecord) {
  const summary: ProjectSummary = {
    id: project.id,
    full_path: project.full_path,
    namespace_id: project.namespace_id,
  };
  return { runner: { id, runner_type, description }, owner, project: summary };
}

/** @throws Forbidden for a runner that the caller may not assign to a further project */
function requireAssignable(ctx: Context, runner: FoundRunner): void {
  if (runner.runner_type === 'group_type') throw new Forbidden('Runner is a group runner');
  if (runner.runner_type === 'instance_type') throw new Forbidden('Runner is an instance runner');
  if (ctx.caller.admin) return;
  if (runner.locked) throw new Forbidden('Runner is locked');
  if (!runnerPolicy.update_runner(ctx.caller, runner)) throw noAccess();
}

/** Assigns a runner of a project to a further one. @throws NotFound, Forbidden, Invalid */
export async function assignRunner(ctx: Context, project: ProjectRecord, runnerId: number): Promise<FoundRunner> {
  await lockRunnersOfProject(ctx, project.id);
  await lockRunnerRow(ctx, runnerId);
  const runner = await findRunner(ctx, runnerId);
  requireAssignable(ctx, runner);
  const assigned = { project_id: project.id, runner_id: runner.id };
  if ((await ctx.em.count(RunnerProject, assigned)) > 0) throw new Invalid({ runner_id: ['has already been taken'] });
  await insertAssignment(ctx, project, runner.id);
  ctx.record({ type: 'runner.assigned', ...noteAssignment(runner, project) });
  return runner;
}

/** Ends the assignment of a runner to a project, unless it is its only one. @throws NotFound, Forbidden */
export async function unassignRunner(ctx: Context, project: ProjectRecord, runnerId: number): Promise<void> {
  await lockRunnerRow(ctx, runnerId);
  const assigned = { project_id: project.id, runner_id: runnerId };
  if ((await ctx.em.count(RunnerProject, assigned)) === 0) throw new NotFound('Runner');
  const runner = await findRunner(ctx, runnerId);
  if (!runner.assigned_to_several)
    throw new Forbidden('Only one project associated with the runner. Please remove the runner instead');
  await ctx.em.nativeDelete(RunnerProject, assigned);
  ctx.record({ type: 'runner.unassigned', ...noteAssignment(runner, project) });
}
