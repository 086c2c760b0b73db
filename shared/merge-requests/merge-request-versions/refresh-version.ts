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
import { forgetMergeability } from './forgotten-mergeability.js';
import { countFilesOfVersions } from '../merge-requests.jobs.js';
import { keepVersions, readVersionCommits } from './read-version.js';
import type { ReadVersion } from './read-version.js';
import { newestVersion, storeVersion } from './store-version.js';

/** A merge request with its target project, as loaded by a job, without a permission check. */
export type JobMergeRequest = MergeRequest & { readonly project: ProjectSummary };

/** Maximum number of commits reported per push. */
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

/** Commits that are new in this version of a merge request. */
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
 * Creates a new version of an open merge request if its source moved, or if the merge base changed. Runs in a
 * transaction and locks the merge request. Does not compare files: the update of the head, and all that depends on it,
 * must not wait for a diff that may never finish. Idempotent.
 * @returns the merge request with the new version; null if it did not change
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
      merge_request: {
        ...request,
        head_sha,
        base_sha,
        start_sha,
        merge_status: forgetMergeability(request.merge_status),
      },
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
