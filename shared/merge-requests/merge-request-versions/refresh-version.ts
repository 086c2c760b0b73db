import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { mergeBase } from '../../git/index.js';
import { columns, nested } from '../../core/database/columns.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import type { ProjectSummary } from '../../tenancy/tenancy.events.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import { MergeRequest } from '../merge-requests/merge-request.entity.js';
import type { MergeRequestVersion } from '../merge-requests/merge-request-version.entity.js';
import { branchHeads } from './branch-heads.js';
import { countFilesOfVersions } from '../merge-requests.jobs.js';
import { keepVersions, readVersionCommits } from './read-version.js';
import type { ReadVersion } from './read-version.js';
import { newestVersion, storeVersion } from './store-version.js';

/** A merge request with the project that it is to be merged in, as a job finds it, whoever may read it. */
export type JobMergeRequest = MergeRequest & { readonly project: ProjectSummary };

/** Commits that are told of one push. */
const MAX_EVENT_COMMITS = 100;

const lockAndRead = prepareQuery<MergeRequestsDatabase, { id: number }, JobMergeRequest>((db, { id }) =>
  db
    .selectFrom('merge_requests as i')
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .innerJoin('routes as r', 'r.project_id', 'p.id')
    .select((eb) => [
      ...columns(MergeRequest, 'i'),
      ...nested('project', Project, 'p', { only: ['id', 'namespace_id'], more: { full_path: eb.ref('r.path') } }),
    ])
    .where('i.id', '=', id)
    .forKeyShare('p')
    .forNoKeyUpdate('i'),
);

/** Locks a merge request, its project first, and reads it; null once it is gone. */
export async function lockForJob(ctx: Context<Caller>, id: number): Promise<JobMergeRequest | null> {
  const [request] = await lockAndRead(ctx, { id });
  return request ?? null;
}

/** What a merge request has now that it had not before. */
async function addedCommits(ctx: Context<Caller>, before: MergeRequestVersion, { commits }: ReadVersion) {
  const rows = await ctx.em
    .getKysely<MergeRequestsDatabase>()
    .selectFrom('merge_request_version_commits as c')
    .select('c.sha')
    .where('c.version_id', '=', before.id)
    .execute();
  const shas = new Set(rows.map(({ sha }) => sha));
  return commits.filter(({ sha }) => !shas.has(sha)).map(({ sha, title }) => ({ sha, title }));
}

/** Whether the branches part elsewhere now, though the source stayed. */
async function partsElsewhere(ctx: Context<Caller>, request: MergeRequest, start: string): Promise<boolean> {
  const repository = openRepository(ctx, { id: request.project_id });
  return (await mergeBase(repository, start, request.head_sha!)) !== (request.base_sha ?? null);
}

/**
 * Makes a new version of an open merge request where its source moved, or where the branches part elsewhere now. In a
 * transaction, which locks it. Nothing is compared: the head, and what follows from it, must not wait for a diff that
 * may never be done. Done twice, it changes nothing more.
 * @returns the merge request with the new version; null where it stays as it is
 */
export async function refreshVersion(ctx: Context<Caller>, id: number): Promise<MergeRequestVersion | null> {
  const request = await lockForJob(ctx, id);
  if (request?.state !== 'opened') return null;
  const { source, target } = await branchHeads(ctx, request);
  if (source === null || target === null) return null;
  const moved = request.head_sha !== source;
  if (!moved && (request.start_sha === target || !(await partsElsewhere(ctx, request, target)))) return null;
  const before = await newestVersion(ctx, id);
  const read = await readVersionCommits(ctx, request, { source, target });
  await keepVersions(openRepository(ctx, { id: request.project_id }), [{ ...read, iid: request.iid }]);
  const version = await storeVersion(ctx, request, read);
  await ctx.jobs.send(countFilesOfVersions, { version_id: version.id });
  if (before && moved) {
    const added = await addedCommits(ctx, before, read);
    const { head_sha, base_sha, start_sha } = version;
    ctx.record({
      type: 'merge_request.pushed',
      merge_request: { ...request, head_sha, base_sha, start_sha, merge_status: 'unchecked' },
      project: request.project,
      version,
      before,
      added: added.slice(0, MAX_EVENT_COMMITS),
      added_count: added.length,
    });
  }
  ctx.record({ type: 'merge_requests.unchecked', project_id: request.project_id, ids: [id] });
  return version;
}
