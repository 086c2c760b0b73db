import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import { Invalid } from '../../core/values/errors.js';
import { instant } from '../../core/operations/fields.js';
import { inSteps } from '../../core/context/in-steps.js';
import { can, operation } from '../../core/operations/operation.js';
import { actAsUser } from '../../tenancy/users/acting-user.js';
import { findVisibleProject, project } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { mayDeploy } from '../deployments/may-deploy.js';
import { Environment } from '../environments/environment.entity.js';
import { projectEnvironmentPolicy } from '../environments/environment.policy.js';
import { stopStaleEnvironments } from '../deployments.jobs.js';
import { stop } from './stop-environment.js';

const DAY = 86_400_000;
const WEEK = 7 * DAY;

/** The same day and time ten years earlier. */
function tenYearsBefore(now: Date): Date {
  const then = new Date(now);
  then.setUTCFullYear(now.getUTCFullYear() - 10);
  return then;
}

/** Have everything stopped that was neither changed nor deployed to since a day: Developers and above, by a job. */
export const stopStale = operation({
  name: 'stopStaleEnvironments',
  summary: 'Stop stale environments',
  resource: project,
  can: can(projectEnvironmentPolicy, 'stop_environments'),
  kind: 'write',
  params: {
    before: instant().describe(
      'Stop environments that were last changed or deployed to before this time; between ten years and one week ago.',
    ),
  },
  example: { before: '2029-12-01T00:00:00Z' },
  async run(ctx, found, { before }) {
    const now = ctx.clock.now();
    if (before < tenYearsBefore(now) || before.getTime() > now.getTime() - WEEK)
      throw new Invalid('400 Bad request - Invalid Date');
    await ctx.jobs.send(stopStaleEnvironments, {
      project_id: found.id,
      user_id: ctx.caller.id,
      before: before.toISOString(),
    });
    return { message: 'Successfully requested stop for all stale environments' };
  },
});

/** The next stale environment of a project after an id, locked; null for none. */
async function nextStale(ctx: Context, projectId: number, before: Date, after: number): Promise<Environment | null> {
  const row = await ctx.em
    .getKysely<DeploymentsDatabase>()
    .selectFrom('environments as e')
    .select(columns(Environment, 'e'))
    .where('e.project_id', '=', projectId)
    .where('e.state', '=', constant('available'))
    .where('e.id', '>', after)
    .where('e.updated_at', '<', before)
    .where((eb) => {
      const recent = eb
        .selectFrom('deployments as d')
        .select(eb.lit(1).as('one'))
        .whereRef('d.environment_id', '=', 'e.id')
        .where('d.updated_at', '>=', before);
      return eb.not(eb.exists(recent));
    })
    .orderBy('e.id')
    .limit(constant(1))
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Stops the stale environments of a project as the requesting user, if permitted: each in its own transaction.
 * Idempotent.
 */
export async function stopStaleOf(
  ctx: Context,
  payload: { project_id: number; user_id: number; before: string },
): Promise<void> {
  const acting = await actAsUser(ctx, payload.user_id);
  const found = acting && (await findVisibleProject(acting, payload.project_id));
  if (!found || !projectEnvironmentPolicy.stop_environments(acting.caller, found)) return;
  let after = 0;
  await inSteps(acting, () =>
    acting.transaction(async () => {
      const stale = await nextStale(acting, found.id, new Date(payload.before), after);
      if (stale) await stopIfAllowed(acting, found, stale);
      after = stale?.id ?? after;
      return stale !== null;
    }),
  );
}

async function stopIfAllowed(ctx: Context, found: ProjectRecord, stale: Environment): Promise<void> {
  const record = { ...stale, project: found };
  if (await mayDeploy(ctx, record)) await stop(ctx, record);
}
