import { randomUUID } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../core/context.js';
import {
  copyRepository,
  GitFailed,
  listRefs,
  removeRepository,
  RepositoryMissing,
  setDefaultBranch,
} from '../core/git/index.js';
import type { Ref } from '../core/git/index.js';
import { sql } from '../core/sql.js';
import { measureProjects } from '../projects/project.jobs.js';
import { protectDefaultBranch } from '../protected-branches/protect-branch.js';
import { indexRefs, repositoryOf } from '../repositories/write-refs.js';

interface Source {
  id: number;
  repository_created: boolean;
  default_branch: string | null;
}

/** Where copies that are not whole yet lie: beside the repository that they become. */
const draftPrefix = (location: string) => `${location}.fork-`;

/** Removes what an earlier try left behind when its process died. */
async function sweepDrafts(location: string): Promise<void> {
  const folder = path.dirname(location);
  const names = await readdir(folder).catch(() => []);
  const left = names.filter((name) => name.startsWith(path.basename(draftPrefix(location))));
  await Promise.all(left.map((name) => rm(path.join(folder, name), { recursive: true, force: true })));
}

/** Notes that a fork is being brought in. @returns false when it is gone, or was brought in by an earlier try */
async function start(ctx: Context, projectId: number): Promise<boolean> {
  const started = await ctx.query(sql`
    update projects set import_status = 'started'
     where id = ${projectId} and import_status in ('scheduled', 'started') returning id`);
  return started.length > 0;
}

/** Ends a fork's import without a repository: the fork stays, empty, and says why. */
export async function failFork(ctx: Context, projectId: number, reason: string): Promise<void> {
  await ctx.query(sql`
    update projects set import_status = 'failed', import_error = ${reason}
     where id = ${projectId} and import_status in ('scheduled', 'started')`);
}

/** The upstream's default branch if it came along, else the only one, else the first by name. */
function defaultOf(refs: readonly Ref[], source: Source): string | null {
  const branches = refs.flatMap(({ name }) => (name.startsWith('refs/heads/') ? [name.slice(11)] : []));
  return branches.find((name) => name === source.default_branch) ?? branches[0] ?? null;
}

/** The part within a transaction: the copy becomes the fork's repository, or is nothing where the fork is gone. */
async function adopt(ctx: Context, projectId: number, source: Source, draft: string, refs: readonly Ref[]) {
  const [fork] = await ctx.query<{ id: number }>(sql`
    select p.id from projects p where p.id = ${projectId} and p.import_status = 'started' for update`);
  if (!fork) return;
  const location = repositoryOf(ctx, fork);
  const branch = defaultOf(refs, source);
  // Of a try that got as far as this and was not committed.
  await removeRepository(location);
  await rename(draft, location);
  if (branch !== null) await setDefaultBranch(location, branch);
  const changes = refs.flatMap(({ name, sha, target }) =>
    target === null ? [] : [{ fullName: name, from: null, to: { object_sha: sha, target_sha: target } }],
  );
  const now = ctx.clock.now();
  await indexRefs(ctx, { id: projectId, repository_created: true, default_branch: branch }, changes, now);
  await ctx.query(sql`
    update projects set repository_created = true, default_branch = ${branch}, last_activity_at = ${now},
           import_status = 'finished', import_error = null
     where id = ${projectId}`);
  if (branch !== null) await protectDefaultBranch(ctx, fork, branch);
  await ctx.jobs.send(measureProjects, { project_id: projectId });
}

/** Where nothing was ever pushed there is nothing to copy: the first write makes the fork's repository too. */
async function finishEmpty(ctx: Context, projectId: number): Promise<void> {
  await ctx.query(sql`update projects set import_status = 'finished' where id = ${projectId}`);
}

async function copyAndAdopt(ctx: Context, projectId: number, source: Source, branch: string | null): Promise<void> {
  const location = repositoryOf(ctx, { id: projectId });
  await sweepDrafts(location);
  const draft = draftPrefix(location) + randomUUID();
  try {
    await copyRepository(repositoryOf(ctx, source), draft, branch);
    const refs = await listRefs(draft, { prefixes: ['refs/heads', 'refs/tags'] });
    await ctx.transaction(() => adopt(ctx, projectId, source, draft, refs));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Brings a fork's repository in: a copy of the upstream's that shares its object files (decision 18). The copy is
 * made beside it and becomes the repository at once, so that a fork deleted meanwhile leaves nothing behind, and an
 * upstream deleted meanwhile leaves a whole fork or a failed one. Safe to repeat, and to go on with after a crash.
 * @throws what the queue shall try again
 */
export async function importFork(
  ctx: Context,
  projectId: number,
  sourceId: number,
  branch: string | null,
): Promise<void> {
  if (!(await start(ctx, projectId))) return sweepDrafts(repositoryOf(ctx, { id: projectId }));
  const load = () =>
    ctx.queryOne<Source>(sql`
      select p.id as "id", p.repository_created as "repository_created", p.default_branch as "default_branch"
        from projects p where p.id = ${sourceId}`);
  const source = await load();
  if (!source) return failFork(ctx, projectId, 'The project that it was forked from is gone.');
  if (!source.repository_created) return finishEmpty(ctx, projectId);
  try {
    await copyAndAdopt(ctx, projectId, source, branch);
  } catch (error) {
    if (!(error instanceof GitFailed || error instanceof RepositoryMissing)) throw error;
    if (!(await load())) return failFork(ctx, projectId, 'The project that it was forked from is gone.');
    const lacking = error instanceof GitFailed && /couldn't find remote ref/.test(error.stderr);
    if (lacking) return failFork(ctx, projectId, `The branch ${branch} does not exist.`);
    throw error;
  }
}
