import type { Context } from '../../core/context.js';
import { sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { readNewCommits } from '../../git/index.js';
import { repositoryOf } from '../../repositories/repositories/write-refs.js';
import type { NamedProject } from '../../tenancy/tenancy.events.js';
import { Deployment } from '../deployments/deployment.entity.js';
import { Environment } from '../environments/environment.entity.js';
import { storeLinks } from './store-links.js';
import type { DeployedTo } from './store-links.js';

/** New commits of one deployment that are looked at, the newest ones. */
const MOST_COMMITS = 200_000;

interface Deployed extends DeployedTo {
  project: NamedProject & { repository_created: boolean };
  /** Of the successful deployment before it in its environment; null for the first. */
  previous_sha: string | null;
}

const load = (ctx: Context, id: number): Promise<Deployed | null> =>
  ctx.queryOne<Deployed>(sql`
    select ${textColumns(Deployment, 'd')}, ${textColumns(Environment, 'e', 'environment.')}, p.id as "project.id",
           p.namespace_id as "project.namespace_id", p.repository_created as "project.repository_created",
           r.path as "project.full_path",
           (select earlier.sha from deployments earlier
             where earlier.environment_id = d.environment_id and earlier.status = 'success'
               and (earlier.finished_at, earlier.id) < (d.finished_at, d.id)
             order by earlier.finished_at desc, earlier.id desc limit 1) as "previous_sha"
      from deployments d join environments e on e.id = d.environment_id join projects p on p.id = d.project_id
      join routes r on r.project_id = p.id where d.id = ${id}`);

/** The merge requests `m` of a first deployment: all that were merged into its branch by then. */
const mergedInto = ({ ref, finished_at: at }: Deployed): Fragment =>
  sql`m.target_branch = ${ref} and m.merged_at <= ${at}`;

/**
 * The merge requests `m` that the commits since the deployment before come of: merged with a merge commit, squashed or
 * fast-forward, or picked from there. Null where there are none, as after going back to an older commit.
 */
async function mergedSince(ctx: Context, { project, sha }: Deployed, previous: string): Promise<Fragment | null> {
  if (previous === sha || !project.repository_created) return null;
  const found = await readNewCommits(repositoryOf(ctx, project), { from: previous, to: sha }, MOST_COMMITS);
  if (!found || found.shas.length === 0) return null;
  const commits = sql`${[...found.shas, ...found.picked_from]}::text[]`;
  const by = (column: Fragment) => sql`
    select by_sha.id from merge_requests by_sha
     where by_sha.project_id = ${project.id} and by_sha.${column} = any(${commits})`;
  return sql`m.id in (${by(sql`merge_commit_sha`)} union ${by(sql`squash_commit_sha`)}
    union ${by(sql`merged_commit_sha`)})`;
}

/** What did not succeed after all brought nothing. */
async function unlink(ctx: Context, deployed: Deployed): Promise<void> {
  const { id, environment, project } = deployed;
  const gone = await ctx.query<{ merge_request_id: number }>(sql`
    delete from deployment_merge_requests l where l.deployment_id = ${id}
       and exists (select 1 from deployments d where d.id = ${id} and d.status <> 'success')
    returning l.merge_request_id as "merge_request_id"`);
  if (gone.length > 0)
    ctx.record({ type: 'deployment.linked', deployment: deployed, environment, project, merge_request_ids: [] });
}

/**
 * Links a successful deployment with the merge requests that it is the first of its environment to bring (dora.md
 * section 5): by one walk of git and one statement. Done twice, it changes nothing more.
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
