import type { CallerUser, Context } from '../core/context.js';
import { Caller } from '../core/context.js';
import { NotFound } from '../core/errors.js';
import { askRemote } from '../core/git/index.js';
import { roleIn } from '../core/policy.js';
import { sql } from '../core/sql.js';
import { insertPipelines } from '../pipelines/insert-pipelines.js';
import { openImportUrl } from '../project-imports/import-url.js';
import { locateRemote } from '../project-imports/locate-remote.js';
import { remoteProblem } from '../project-imports/remote-problem.js';
import { findProject } from '../projects/project.finder.js';
import type { ProjectRecord } from '../projects/project.finder.js';
import { writable } from '../projects/project.policy.js';
import { makeDefaultBranch } from '../repositories/first-branch.js';
import { mayRunOnRef } from '../repositories/ref-rules.js';
import { ensureRepository, writeRefs } from '../repositories/write-refs.js';
import type { RefChange } from '../repositories/write-refs.js';
import { fetchChanges, forgetFetched } from './mirror-changes.js';
import type { MirrorRules } from './mirror-changes.js';
import { beginUpdate, failUpdate, finishUpdate } from './mirror-state.js';
import { callerColumns } from '../users/caller-columns.js';

interface MirrorRow extends MirrorRules {
  import_url: Uint8Array | null;
  mirror_trigger_builds: boolean;
  user: CallerUser | null;
}

/** An update may not be made. The message says why. */
class MirrorRefused extends Error {}

const loadRow = (ctx: Context, projectId: number) =>
  ctx.queryOne<MirrorRow>(sql`
    select s.import_url as "import_url", s.mirror_trigger_builds as "mirror_trigger_builds",
           s.only_mirror_protected_branches as "only_mirror_protected_branches",
           s.mirror_overwrites_diverged_branches as "mirror_overwrites_diverged_branches",
           ${callerColumns('user.')}
      from project_settings s left join users u on u.id = s.mirror_user_id left join namespaces n on n.owner_id = u.id
     where s.project_id = ${projectId} and s.mirror`);

/** The context of whoever answers for a mirror, who must still be allowed to: rights of the past count nothing. */
async function actAs(ctx: Context, projectId: number, user: CallerUser | null) {
  if (user?.state !== 'active') throw new MirrorRefused('The user who answers for the mirror is gone or blocked.');
  const acting = ctx.as(new Caller(user));
  const found = await findProject(acting, projectId).catch((error: unknown) => {
    if (error instanceof NotFound) return null;
    throw error;
  });
  if (!found || !roleIn(acting.caller, found, 'maintainer'))
    throw new MirrorRefused('The user who answers for the mirror is no Maintainer of the project.');
  if (!writable(found)) throw new MirrorRefused('The project is read-only.');
  if (found.repository_access_level === 'disabled') throw new MirrorRefused('The repository is disabled.');
  return { acting, found };
}

/** Starts pipelines for what moved, as a push does; of a first update, which brings everything, none. */
async function startPipelines(ctx: Context, found: ProjectRecord, changes: readonly RefChange[]): Promise<void> {
  const open: RefChange[] = [];
  for (const change of changes) if (await mayRunOnRef(ctx, found, change.fullName)) open.push(change);
  await insertPipelines(
    ctx,
    open.flatMap(({ fullName, to }) =>
      to === null
        ? []
        : [
            {
              project_id: found.id,
              ref: fullName,
              sha: to.target_sha,
              source: 'push',
              user_id: ctx.signedInUser.id,
              pipeline_schedule_id: null,
              variables: [],
              inputs: null,
            },
          ],
    ),
  );
}

/** The part within a transaction: the project's refs become the remote's. */
async function apply(
  ctx: Context,
  found: ProjectRecord,
  row: MirrorRow,
  changes: readonly RefChange[],
  branch: string | null,
): Promise<void> {
  const first = found.default_branch === null;
  await writeRefs(ctx, found, changes);
  const branches = changes.flatMap(({ fullName }) => (fullName.startsWith('refs/heads/') ? [fullName.slice(11)] : []));
  const chosen = branches.find((name) => name === branch) ?? branches[0];
  if (first && chosen !== undefined) await makeDefaultBranch(ctx, found, chosen);
  if (row.mirror_trigger_builds && !first) await startPipelines(ctx, found, changes);
}

async function bringUpToDate(ctx: Context, projectId: number, row: MirrorRow): Promise<void> {
  if (!row.import_url) throw new MirrorRefused('The mirror has no URL.');
  const { acting, found } = await actAs(ctx, projectId, row.user);
  const repository = await locateRemote(ctx, openImportUrl(ctx, projectId, row.import_url));
  const { refs, defaultBranch } = await askRemote(repository);
  if (refs.length === 0) return;
  const location = await acting.transaction(() => ensureRepository(acting, found, defaultBranch ?? 'main'));
  try {
    const changes = await fetchChanges(acting, found, location, { repository, refs }, row);
    if (changes.length > 0) await acting.transaction(() => apply(acting, found, row, changes, defaultBranch));
  } finally {
    await forgetFetched(location);
  }
}

/**
 * Brings a mirrored project up to date with the repository at its `import_url`, as the user who answers for it and
 * with the rights that this user has now. What cannot be had is told in `last_error`. Safe to repeat.
 * @throws what the queue shall try again
 */
export async function updateMirror(ctx: Context, projectId: number): Promise<void> {
  const row = ctx.hasPlan('premium') ? await loadRow(ctx, projectId) : null;
  if (!row || !(await beginUpdate(ctx, projectId))) return;
  try {
    await bringUpToDate(ctx, projectId, row);
    await finishUpdate(ctx, projectId);
  } catch (error) {
    const reason = error instanceof MirrorRefused ? error.message : remoteProblem(error);
    if (reason === null) throw error;
    ctx.log.info({ err: error, project_id: projectId }, 'project_mirror.failed');
    await failUpdate(ctx, projectId, reason);
  }
}
