import type { Context } from '../../core/context/context.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { askRemote, copyRemote } from '../../git/index.js';
import type { RemoteTimeouts, RemoteRepository } from '../../git/index.js';
import { importRepository, sweepDrafts } from './import-repository.js';
import { failImport, finishEmptyImport, startImport } from './import-state.js';
import { openImportUrl } from '../../tenancy/projects/project-secrets.js';
import { actAsImporter, ImportRejectedError } from './importer.js';
import { leftOutText } from './left-out.js';
import { locateRemote } from './locate-remote.js';
import { remoteProblem } from './remote-problem.js';

const MIB = 1024 * 1024;
/** As long as a repository of many gigabytes takes; the job itself lasts a little longer. */
const TIMEOUT_MS = 110 * 60_000;

async function copy(
  ctx: Context,
  projectId: number,
  remote: RemoteRepository,
  wished: string | null,
  timeouts: RemoteTimeouts,
): Promise<void> {
  const { refs, unfit, defaultBranch } = await askRemote(remote, timeouts);
  if (refs.length === 0) return finishEmptyImport(ctx, projectId, leftOutText({ unfit }));
  const limits = { ...timeouts, timeoutMs: TIMEOUT_MS, maxBytes: ctx.settings.max_import_remote_file_size * MIB };
  await importRepository(ctx, projectId, async (draft) => {
    await copyRemote(remote, draft, limits, unfit);
    return { wished: [wished, defaultBranch, 'main', 'master'], unfit };
  });
}

/**
 * Imports a new project's repository from its `import_url`: all branches and tags. If the source is unavailable, or the
 * requesting user has lost the permission, the import fails with the reason in `import_error`. Idempotent, and
 * resumable after a crash.
 * @throws errors for the queue to retry
 */
export async function importFromUrl(
  ctx: Context,
  projectId: number,
  wished: string | null,
  timeouts: Omit<RemoteTimeouts, 'signal'> = {},
): Promise<void> {
  if (!(await startImport(ctx, projectId))) return sweepDrafts(ctx, projectId);
  const row = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('project_settings as s')
    .select('s.import_url')
    .where('s.project_id', '=', projectId)
    .executeTakeFirst();
  if (!row?.import_url) return failImport(ctx, projectId, 'The import URL is gone.');
  try {
    await actAsImporter(ctx, projectId);
    const remote = await locateRemote(ctx, openImportUrl(ctx, projectId, row.import_url), timeouts.silenceMs);
    await copy(ctx, projectId, remote, wished, { ...timeouts, signal: ctx.signal });
  } catch (error) {
    const reason = error instanceof ImportRejectedError ? error.message : remoteProblem(error);
    if (reason === null) throw error;
    ctx.log.info({ err: error, project_id: projectId }, 'project_import.failed');
    await failImport(ctx, projectId, reason);
  }
}
