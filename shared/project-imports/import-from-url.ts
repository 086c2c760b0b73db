import type { Context } from '../core/context.js';
import { askRemote, copyRemote, GitFailed, GitTimeout, RemoteTooLarge } from '../core/git/index.js';
import type { RemoteRepository } from '../core/git/index.js';
import { sql } from '../core/sql.js';
import { bringInRepository, sweepDrafts } from './bring-in-repository.js';
import { failImport, finishEmptyImport, startImport } from './import-state.js';
import { openImportUrl } from './import-url.js';
import { locateRemote, RemoteUnavailable, UNREACHABLE } from './locate-remote.js';

const MIB = 1024 * 1024;
/** As long as a repository of many gigabytes takes; the job itself lasts a little longer. */
const TIMEOUT_MS = 110 * 60_000;

/** What to tell the user of an import that failed for a reason of theirs or of the remote's; null for one of ours. */
function told(ctx: Context, error: unknown): string | null {
  if (error instanceof RemoteUnavailable) return error.message;
  if (error instanceof GitTimeout) return 'The remote repository took too long.';
  if (error instanceof RemoteTooLarge)
    return `The remote repository is larger than the limit of ${ctx.settings.max_import_size} MiB.`;
  if (!(error instanceof GitFailed)) return null;
  // A full disk and the like end git as well; those are worth another try.
  if (/No space left|Disk quota|unable to (create|write)/i.test(error.stderr)) return null;
  return /fsck error|bad object|index-pack failed|unpack-objects/i.test(error.stderr)
    ? 'The remote repository is damaged.'
    : UNREACHABLE;
}

async function copy(ctx: Context, projectId: number, remote: RemoteRepository, wished: string | null): Promise<void> {
  const { refs, defaultBranch } = await askRemote(remote);
  if (refs.length === 0) return finishEmptyImport(ctx, projectId);
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: ctx.settings.max_import_size * MIB };
  await bringInRepository(ctx, projectId, async (draft) => {
    await copyRemote(remote, draft, limits);
    return [wished, defaultBranch, 'main', 'master'];
  });
}

/**
 * Brings a new project's repository in from its `import_url`: all branches and tags. What cannot be had ends the
 * import as failed, with the reason in `import_error`. Safe to repeat, and to go on with after a crash.
 * @throws what the queue shall try again
 */
export async function importFromUrl(ctx: Context, projectId: number, wished: string | null): Promise<void> {
  if (!(await startImport(ctx, projectId))) return sweepDrafts(ctx, projectId);
  const row = await ctx.queryOne<{ import_url: Uint8Array | null }>(sql`
    select s.import_url as "import_url" from project_settings s where s.project_id = ${projectId}`);
  if (!row?.import_url) return failImport(ctx, projectId, 'The import URL is gone.');
  try {
    const remote = await locateRemote(ctx, openImportUrl(ctx, projectId, row.import_url));
    await copy(ctx, projectId, remote, wished);
  } catch (error) {
    const reason = told(ctx, error);
    if (reason === null) throw error;
    ctx.log.info({ err: error, project_id: projectId }, 'project_import.failed');
    await failImport(ctx, projectId, reason);
  }
}
