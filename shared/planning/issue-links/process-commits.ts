import type { Context, SignedInContext } from '../../core/context/context.js';
import { readLog, RevisionNotFound, RepositoryMissing } from '../../git/index.js';
import type { Commit } from '../../git/index.js';
import { getRepositoryPath } from '../../repositories/repositories/write-refs.js';
import { projectDetails, getProjectSettings } from '../../tenancy/project-details/project-details.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { actAsUser } from '../../tenancy/users/acting-user.js';
import { noteCrossReferences } from './cross-references.js';
import { closeByReference } from './close-by-reference.js';
import { issueIdsIn, issuesClosedBy } from './issues-in-text.js';

/** Maximum number of commits of a push to process, newest first, as in the public product. */
const MOST_COMMITS = 100;

/** A push to a default branch and its author. */
interface Push {
  readonly project_id: number;
  readonly user_id: number;
  readonly from: string | null;
  readonly to: string;
}

/** The new commits, the oldest first; none where a later push took them away. */
async function newCommits(ctx: Context, project: ProjectRecord, { from, to }: Push): Promise<Commit[]> {
  const range = { revisions: [to], ...(from === null ? {} : { exclude: [from] }), limit: MOST_COMMITS };
  try {
    return (await readLog(getRepositoryPath(ctx, project), range)).toReversed();
  } catch (error) {
    if (error instanceof RevisionNotFound || error instanceof RepositoryMissing) return [];
    throw error;
  }
}

/** Each commit does so once: what it closed may be opened again. */
async function processCommit(
  ctx: SignedInContext,
  project: ProjectRecord,
  { sha, message }: Commit,
  closes: boolean,
): Promise<void> {
  const toClose = closes ? await issuesClosedBy(ctx, project, message) : [];
  const mentioned = message.includes('#') ? await issueIdsIn(ctx, project, message) : [];
  const ids = [...new Set([...toClose, ...mentioned])];
  if (ids.length === 0) return;
  const fresh = new Set(await noteCrossReferences(ctx, { commit: sha, project }, ids, new Set(toClose)));
  // In the order of ids, as everybody locks several of them.
  for (const id of toClose.toSorted((one, other) => one - other))
    if (fresh.has(id)) await closeByReference(ctx, id, sha);
}

/**
 * Closes issues and records mentions according to the messages of new commits, with the permissions of the user who
 * pushed. Idempotent. Each commit has its own transaction.
 */
export async function processCommits(ctx: Context, push: Push): Promise<void> {
  const acting = await actAsUser(ctx, push.user_id);
  const project = acting && (await findVisibleProject(acting, push.project_id));
  if (!acting || !project?.repository_created) return;
  await projectDetails.fill(acting, [project]);
  const closes = getProjectSettings(project, acting).autoclose_referenced_issues;
  for (const commit of await newCommits(acting, project, push)) {
    ctx.signal.throwIfAborted();
    if (/#|\/-\//.test(commit.message)) await acting.transaction(() => processCommit(acting, project, commit, closes));
  }
}
