import type { UserOrAnonymous } from '../../core/context/callers.js';
import type { SignedInContext } from '../../core/context/context.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import { releaseObjects } from '../../core/stored-files/storing.js';
import { Forbidden } from '../../core/values/errors.js';
import { projectPolicy, writable } from '../../tenancy/projects/project.policy.js';
import type { CiDatabase } from '../ci.entities.js';
import { findJob } from '../jobs/job.finder.js';
import type { JobRecord } from '../jobs/job.finder.js';
import { isAlive } from '../job-states/status-predicates.js';
import { lockPipelines } from '../processing/request-processing.js';
import { lockLog } from './job-log.finder.js';

/** Maintainers erase the logs of all jobs, Developers those that run for them on a ref that is not protected. */
export const jobLogPolicy = policy({
  erase_job: (caller: UserOrAnonymous, { project, protected: isProtected, user_id: userId }: JobRecord) => {
    if (roleIn(caller, project, 'maintainer')) return writable(project);
    const isOwn = !caller.anonymous && userId === caller.id && !isProtected;
    return isOwn && projectPolicy.create_pipeline(caller, project);
  },
});

/**
 * Erases the log of a job that is over.
 * @returns the job as it is then
 * @throws Forbidden for a job that goes on, or that has nothing to be erased
 */
export async function eraseLog(ctx: SignedInContext, found: JobRecord): Promise<JobRecord> {
  await lockPipelines(ctx, [found.pipeline_id]);
  const current = await findJob(ctx, found.project, found.id);
  const now = ctx.clock.now();
  const db = ctx.em.getKysely<CiDatabase>();
  const erased = { erased_at: now, erased_by_id: ctx.caller.id };
  // Whoever locks both locks the job before its log.
  await db
    .updateTable('jobs')
    .set({ ...erased, updated_at: now })
    .where('id', '=', found.id)
    .execute();
  const log = isAlive(current.status) ? null : await lockLog(ctx, current);
  if (!log || log.bytes === 0) throw new Forbidden('Job is not erasable!');
  if (log.object_id) await releaseObjects(ctx, [log.object_id]);
  await db
    .deleteFrom('job_log_chunks')
    .where('project_id', '=', found.project_id)
    .where('job_id', '=', found.id)
    .execute();
  await db
    .updateTable('job_logs')
    .set({ bytes: 0, crc32: 0, object_id: null, debug_trace: false, sealed_at: now, updated_at: now })
    .where('id', '=', log.id)
    .execute();
  ctx.record({ type: 'job.erased', job: { id: current.id, name: current.name, project: current.project } });
  return { ...current, ...erased, updated_at: now };
}
