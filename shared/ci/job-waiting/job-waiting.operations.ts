import type { Kysely } from 'kysely';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import type { Context } from '../../core/context/context.js';
import { operation } from '../../core/operations/operation.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { CiDatabase } from '../ci.entities.js';
import { job } from '../jobs/job.finder.js';
import { projectRunnersPolicy } from '../runners/container-runners.policy.js';
import type { WaitingJob } from './job-waiting.serializer.js';
import { listRunnersForJob } from './runners-for-job.js';
import type { RunnerForJob } from './runners-for-job.js';

/** Runners that one answer lists: those that fit come first. */
const MOST_RUNNERS = 100;

const findPosition = prepareQuery((db: Kysely<CiDatabase>, { job_id }: Placeholders<{ job_id: number }>) =>
  db
    .selectFrom('ci_queue as q')
    .select((eb) => [
      'q.queued_at',
      eb
        .selectFrom('ci_queue as before')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('before.project_id', '=', 'q.project_id')
        .whereRef('before.job_id', '<=', 'q.job_id')
        .$asScalar()
        .$notNull()
        .as('position'),
    ])
    .where('q.job_id', '=', job_id),
);

/** Maintainers see the runners of their projects; whoever is signed in may know of those of the instance. */
const maySee = (ctx: Context, project: ProjectRecord) => {
  const isMaintainer = projectRunnersPolicy.read_project_runners(ctx.caller, project);
  return (runner: RunnerForJob): boolean =>
    isMaintainer || (runner.runner_type === 'instance_type' && !ctx.caller.anonymous);
};

/** Read which runners could take a job that waits, and why they do not (ci-execution.md section 17). */
export const getJobQueue = operation({
  name: 'getJobQueue',
  summary: 'Read why a job waits for a runner',
  resource: job,
  authentication: 'open',
  kind: 'read',
  statements: 6,
  async run(ctx, found): Promise<WaitingJob> {
    const isWaiting = found.kind === 'build' && found.status === 'pending';
    const [[queued], runners] = isWaiting
      ? await Promise.all([findPosition(ctx, { job_id: found.id }), listRunnersForJob(ctx, found.id)])
      : [[], []];
    const isVisible = maySee(ctx, found.project);
    const others = runners.filter((runner) => !isVisible(runner));
    const fitting = others.filter(({ fits }) => fits).length;
    return {
      status: found.status,
      position: queued?.position ?? null,
      queued_at: queued?.queued_at ?? null,
      runners: runners.filter(isVisible).slice(0, MOST_RUNNERS),
      others: { fitting, unfit: others.length - fitting },
    };
  },
});
