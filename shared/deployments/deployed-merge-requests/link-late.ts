import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import type { DomainEvent } from '../../core/events.js';
import { sql, textColumns } from '../../core/sql.js';
import { descendantsAmong, picksAmong } from '../../git/index.js';
import { repositoryOf } from '../../repositories/repositories/write-refs.js';
import type { NamedProject } from '../../tenancy/tenancy.events.js';
import { Deployment } from '../deployments/deployment.entity.js';
import { Environment } from '../environments/environment.entity.js';
import { linkLateMergeRequest } from './deployed-merge-request.jobs.js';
import { storeLinks } from './store-links.js';

/** Deployments that are looked at, the newest ones. */
const MOST_DEPLOYMENTS = 500;
/** Commits in which picks are looked for, the newest ones. */
const MOST_COMMITS = 200_000;
/** Picks of one merge request that are followed, the oldest ones. */
const MOST_PICKS = 20;

/** Has merge requests linked to deployments that had them before it was recorded that they are merged. */
export async function followLateMerges(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'merge_request.merged'>[],
): Promise<void> {
  const ids = events.map(({ merge_request: { id } }) => id);
  // Most projects and merges have none.
  const concerned = await ctx.query<{ id: number }>(sql`
    select m.id as "id" from merge_requests m
     where m.id = any(${ids}::bigint[]) and exists (
       select 1 from environments e join deployments d on d.environment_id = e.id
        where e.project_id = m.project_id and d.status = 'success' and d.finished_at >= m.created_at)
     order by m.id`);
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
  project: NamedProject & { repository_created: boolean };
}

const load = (ctx: Context, id: number): Promise<Merged | null> =>
  ctx.queryOne<Merged>(sql`
    select m.id as "id", m.project_id as "project_id", m.target_branch as "target_branch",
           m.created_at as "created_at",
           coalesce(m.merge_commit_sha, m.squash_commit_sha, m.merged_commit_sha) as "sha",
           array_remove(array[m.merge_commit_sha, m.squash_commit_sha, m.merged_commit_sha], null) as "shas",
           p.id as "project.id", p.namespace_id as "project.namespace_id",
           p.repository_created as "project.repository_created", r.path as "project.full_path"
      from merge_requests m join projects p on p.id = m.project_id join routes r on r.project_id = p.id
     where m.id = ${id} and m.state = 'merged'`);

interface Candidate extends Deployment {
  environment: Environment;
  /** Whether it is the first success of its environment. */
  first: boolean;
}

/** Successes since the merge request was made, of environments that it is not linked to; not those for reviews. */
const candidatesOf = (ctx: Context, { id, project_id: projectId, created_at: since }: Merged) =>
  ctx.query<Candidate>(sql`
    select ${textColumns(Deployment, 'd')}, ${textColumns(Environment, 'e', 'environment.')},
           not exists (select 1 from deployments earlier
              where earlier.environment_id = d.environment_id and earlier.status = 'success'
                and (earlier.finished_at, earlier.id) < (d.finished_at, d.id)) as "first"
      from environments e join deployments d on d.environment_id = e.id
     where e.project_id = ${projectId} and e.name not like '%/%' and d.status = 'success' and d.finished_at >= ${since}
       and not exists (select 1 from deployment_merge_requests l
              where l.environment_id = e.id and l.merge_request_id = ${id})
     order by d.finished_at desc, d.id desc limit ${MOST_DEPLOYMENTS}`);

/** Of each environment the oldest one that has it; a first one where it was deployed from the target branch. */
function firstWithIt(candidates: readonly Candidate[], having: ReadonlySet<string>, target: string): Candidate[] {
  const found = new Map<number, Candidate>();
  for (const one of candidates) if (having.has(one.sha)) found.set(one.environment_id, one);
  return [...found.values()].filter(({ first, ref }) => !first || ref === target);
}

/** Which of these commits have what was merged: the commit itself, or one that was picked from it. */
async function commitsWithIt(ctx: Context, { project, shas }: Merged, sha: string, commits: readonly string[]) {
  const repository = repositoryOf(ctx, project);
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
 * Links a merge request with the deployments that brought it before it was recorded that it is merged: of each
 * environment the first that has its commit, or one that was picked from it (dora.md section 5, "a merge request is
 * linked late"). Two walks of git, one more for each pick, and one statement for each environment. Done twice, it changes
 * nothing more.
 */
export async function linkLate(ctx: Context, { merge_request_id: id }: { merge_request_id: number }): Promise<void> {
  const merged = await load(ctx, id);
  if (!merged?.sha || !merged.project.repository_created) return;
  const candidates = await candidatesOf(ctx, merged);
  if (candidates.length === 0) return;
  const { project, sha, target_branch: target } = merged;
  const having = await commitsWithIt(ctx, merged, sha, [...new Set(candidates.map((one) => one.sha))]);
  ctx.signal.throwIfAborted();
  const first = firstWithIt(candidates, having, target);
  if (first.length === 0) return;
  await ctx.transaction(async () => {
    for (const deployed of first) await storeLinks(ctx, { ...deployed, project }, sql`m.id = ${id}`);
  });
}
