import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns, nested } from '../../core/database/columns.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { readNewCommits } from '../../git/index.js';
import { getRepositoryPath } from '../../repositories/repositories/write-refs.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import type { ProjectSummary } from '../../tenancy/tenancy.events.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { Deployment } from '../deployments/deployment.entity.js';
import { Environment } from '../environments/environment.entity.js';
import { onMerged, storeLinks } from './store-links.js';
import type { DeployedTo } from './store-links.js';

/** Maximum number of new commits of one deployment checked, the newest ones. */
const MOST_COMMITS = 200_000;

interface Deployed extends DeployedTo {
  project: ProjectSummary & { repository_created: boolean };
  /** Of the successful deployment before it in its environment; null for the first. */
  previous_sha: string | null;
}

/** That deployment `earlier` finished before deployment `d`. */
export const isBefore = (
  eb: ExpressionBuilder<Aliased<DeploymentsDatabase, { d: 'deployments'; earlier: 'deployments' }>, 'd' | 'earlier'>,
) => eb(eb.refTuple('earlier.finished_at', 'earlier.id'), '<', eb.refTuple('d.finished_at', 'd.id'));

const load = (ctx: Context, id: number): Promise<Deployed | undefined> =>
  ctx.em
    .getKysely<DeploymentsDatabase>()
    .selectFrom('deployments as d')
    .innerJoin('environments as e', 'e.id', 'd.environment_id')
    .innerJoin('projects as p', 'p.id', 'd.project_id')
    .innerJoin('routes as r', 'r.project_id', 'p.id')
    .select((eb) => [
      ...columns(Deployment, 'd'),
      ...nested('environment', Environment, 'e'),
      ...nested('project', Project, 'p', {
        only: ['id', 'namespace_id', 'repository_created'],
        more: { full_path: eb.ref('r.path') },
      }),
      eb
        .selectFrom('deployments as earlier')
        .select('earlier.sha')
        .whereRef('earlier.environment_id', '=', 'd.environment_id')
        .where('earlier.status', '=', constant('success'))
        .where(isBefore)
        .orderBy('earlier.finished_at', 'desc')
        .orderBy('earlier.id', 'desc')
        .limit(constant(1))
        .as('previous_sha'),
    ])
    .where('d.id', '=', id)
    .executeTakeFirst();

/** The merge requests `m` of a first deployment: all that were merged into its branch by then. */
const mergedInto = ({ ref, finished_at: at }: Deployed): Expression<SqlBool> =>
  onMerged.and([onMerged('m.target_branch', '=', ref), onMerged('m.merged_at', '<=', at ?? null)]);

/**
 * The merge requests `m` that the commits since the deployment before come of: merged with a merge commit, squashed or
 * fast-forward, or picked from there. Null where there are none, as after going back to an older commit.
 */
async function mergedSince(
  ctx: Context,
  { project, sha }: Deployed,
  previous: string,
): Promise<Expression<SqlBool> | null> {
  if (previous === sha || !project.repository_created) return null;
  const found = await readNewCommits(getRepositoryPath(ctx, project), { from: previous, to: sha }, MOST_COMMITS);
  if (!found || found.shas.length === 0) return null;
  const commits = anyOf([...found.shas, ...found.picked_from], 'text');
  const by = (column: 'merge_commit_sha' | 'squash_commit_sha' | 'merged_commit_sha') =>
    onMerged
      .selectFrom('merge_requests as by_sha')
      .select('by_sha.id')
      .where('by_sha.project_id', '=', project.id)
      .where(`by_sha.${column}`, '=', commits);
  return onMerged('m.id', 'in', by('merge_commit_sha').union(by('squash_commit_sha')).union(by('merged_commit_sha')));
}

/** Removes the links of a deployment that did not succeed after all. */
async function unlink(ctx: Context, deployed: Deployed): Promise<void> {
  const { id, environment, project } = deployed;
  const gone = await ctx.em
    .getKysely<DeploymentsDatabase>()
    .deleteFrom('deployment_merge_requests as l')
    .where('l.deployment_id', '=', id)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('deployments as d')
          .select(eb.lit(1).as('one'))
          .where('d.id', '=', id)
          .where('d.status', '<>', constant('success')),
      ),
    )
    .returning('l.merge_request_id')
    .execute();
  if (gone.length > 0)
    ctx.record({ type: 'deployment.linked', deployment: deployed, environment, project, merge_request_ids: [] });
}

/**
 * Links a successful deployment with the merge requests that it is the first in its environment to deliver (dora.md
 * section 5): with one git walk and one statement. Idempotent.
 */
export async function linkMergeRequests(ctx: Context, { deployment_id: id }: { deployment_id: number }): Promise<void> {
  const deployed = await load(ctx, id);
  if (!deployed || deployed.environment.name.includes('/')) return;
  if (deployed.status !== 'success') return ctx.transaction(() => unlink(ctx, deployed));
  const { previous_sha: previous } = deployed;
  const merged = previous === null ? mergedInto(deployed) : await mergedSince(ctx, deployed, previous);
  ctx.signal.throwIfAborted();
  if (merged) await ctx.transaction(() => storeLinks(ctx, deployed, merged));
}
