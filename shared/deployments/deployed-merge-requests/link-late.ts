import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { columns, nested } from '../../core/database/columns.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { DomainEvent } from '../../core/values/events.js';
import { descendantsAmong, picksAmong } from '../../git/index.js';
import { getRepositoryPath } from '../../repositories/repositories/write-refs.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import type { ProjectSummary } from '../../tenancy/tenancy.events.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { MergeRequest } from '../../merge-requests/merge-requests/merge-request.entity.js';
import { Deployment } from '../deployments/deployment.entity.js';
import { Environment } from '../environments/environment.entity.js';
import { linkLateMergeRequest } from '../deployments.jobs.js';
import { isBefore } from './link-merge-requests.js';
import { onMerged, storeLinks } from './store-links.js';

/** Maximum number of deployments checked, the newest ones. */
const MOST_DEPLOYMENTS = 500;
/** Maximum number of commits searched for cherry-picks, the newest ones. */
const MOST_COMMITS = 200_000;
/** Picks of one merge request that are followed, the oldest ones. */
const MOST_PICKS = 20;

/** Has merge requests linked to deployments that had them before it was recorded that they are merged. */
export async function linkLateMerges(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'merge_request.merged'>[],
): Promise<void> {
  const ids = events.map(({ merge_request: { id } }) => id);
  // Most projects and merges have none.
  const concerned = await ctx.em
    .getKysely<DeploymentsDatabase>()
    .selectFrom('merge_requests as m')
    .select('m.id')
    .where('m.id', '=', anyOf(ids, 'bigint'))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('environments as e')
          .innerJoin('deployments as d', 'd.environment_id', 'e.id')
          .select(eb.lit(1).as('one'))
          .whereRef('e.project_id', '=', 'm.project_id')
          .where('d.status', '=', constant('success'))
          .whereRef('d.finished_at', '>=', 'm.created_at'),
      ),
    )
    .orderBy('m.id')
    .execute();
  await ctx.jobs.sendAll(
    linkLateMergeRequest,
    concerned.map(({ id }) => ({ merge_request_id: id })),
  );
}

interface Merged {
  id: number;
  project_id: number;
  target_branch: string;
  created_at: Date;
  /** The commit by which it is in its target branch. */
  sha: string | null;
  /** The commits that others may have picked it by. */
  shas: string[];
  project: ProjectSummary & { repository_created: boolean };
}

async function load(ctx: Context, id: number): Promise<Merged | null> {
  const row = await ctx.em
    .getKysely<DeploymentsDatabase>()
    .selectFrom('merge_requests as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .innerJoin('routes as r', 'r.project_id', 'p.id')
    .select((eb) => [
      ...columns(MergeRequest, 'm', ['id', 'project_id', 'target_branch', 'created_at']),
      'm.merge_commit_sha',
      'm.squash_commit_sha',
      'm.merged_commit_sha',
      ...nested('project', Project, 'p', {
        only: ['id', 'namespace_id', 'repository_created'],
        more: { full_path: eb.ref('r.path') },
      }),
    ])
    .where('m.id', '=', id)
    .where('m.state', '=', constant('merged'))
    .executeTakeFirst();
  if (!row) return null;
  const { merge_commit_sha: merged, squash_commit_sha: squashed, merged_commit_sha: last, ...found } = row;
  const shas = [merged, squashed, last].filter((sha) => sha !== null);
  return { ...found, sha: shas[0] ?? null, shas };
}

interface Candidate extends Deployment {
  environment: Environment;
  /** Whether it is the first success of its environment. */
  first: boolean;
}

/** Successes since the merge request was made, of environments that it is not linked to; not those for reviews. */
const getCandidates = (ctx: Context, { id, project_id: projectId, created_at: since }: Merged): Promise<Candidate[]> =>
  ctx.em
    .getKysely<DeploymentsDatabase>()
    .selectFrom('environments as e')
    .innerJoin('deployments as d', 'd.environment_id', 'e.id')
    .select((eb) => {
      const earlier = eb
        .selectFrom('deployments as earlier')
        .select(eb.lit(1).as('one'))
        .whereRef('earlier.environment_id', '=', 'd.environment_id')
        .where('earlier.status', '=', constant('success'))
        .where(isBefore);
      return [
        ...columns(Deployment, 'd'),
        ...nested('environment', Environment, 'e'),
        eb.not(eb.exists(earlier)).$castTo<boolean>().as('first'),
      ];
    })
    .where('e.project_id', '=', projectId)
    .where('e.name', 'not like', constant('%/%'))
    .where('d.status', '=', constant('success'))
    .where('d.finished_at', '>=', since)
    .where((eb) => {
      const linked = eb
        .selectFrom('deployment_merge_requests as l')
        .select(eb.lit(1).as('one'))
        .whereRef('l.environment_id', '=', 'e.id')
        .where('l.merge_request_id', '=', id);
      return eb.not(eb.exists(linked));
    })
    .orderBy('d.finished_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(constant(MOST_DEPLOYMENTS))
    .execute();

/**
 * For each environment the oldest deployment that contains it; a first deployment counts only if it was made from the
 * target branch.
 */
function firstWithIt(candidates: readonly Candidate[], having: ReadonlySet<string>, target: string): Candidate[] {
  const found = new Map<number, Candidate>();
  for (const one of candidates) if (having.has(one.sha)) found.set(one.environment_id, one);
  return [...found.values()].filter(({ first, ref }) => !first || ref === target);
}

/** Which of these commits have what was merged: the commit itself, or one that was picked from it. */
async function commitsWithIt(ctx: Context, { project, shas }: Merged, sha: string, commits: readonly string[]) {
  const repository = getRepositoryPath(ctx, project);
  const having = await descendantsAmong(repository, sha, commits);
  const heads = commits.filter((one) => !having.has(one));
  if (heads.length === 0) return having;
  const picks = await picksAmong(repository, new Set(shas), { base: sha, heads }, MOST_COMMITS);
  for (const pick of picks.slice(0, MOST_PICKS)) {
    ctx.signal.throwIfAborted();
    for (const one of await descendantsAmong(repository, pick, heads)) having.add(one);
  }
  return having;
}

/**
 * Links a merge request with the deployments that delivered it before its merge was recorded: for each environment the
 * first that contains its commit, or a cherry-pick of it (dora.md section 5, "a merge request is linked late"). Takes
 * two git walks, one more for each cherry-pick, and one statement for each environment. Idempotent.
 */
export async function linkLate(ctx: Context, { merge_request_id: id }: { merge_request_id: number }): Promise<void> {
  const merged = await load(ctx, id);
  if (!merged?.sha || !merged.project.repository_created) return;
  const candidates = await getCandidates(ctx, merged);
  if (candidates.length === 0) return;
  const { project, sha, target_branch: target } = merged;
  const having = await commitsWithIt(ctx, merged, sha, [...new Set(candidates.map((one) => one.sha))]);
  ctx.signal.throwIfAborted();
  const first = firstWithIt(candidates, having, target);
  if (first.length === 0) return;
  await ctx.transaction(async () => {
    for (const deployed of first) await storeLinks(ctx, { ...deployed, project }, onMerged('m.id', '=', id));
  });
}
