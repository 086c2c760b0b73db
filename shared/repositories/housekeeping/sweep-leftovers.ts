import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { removeIfOld, sweepRepository } from '../../git/index.js';
import { sweepContents } from '../repositories/remove-contents.js';
import { getRepositoryPath } from '../repositories/write-refs.js';

/**
 * Files next to repositories during creation or removal: drafts of imports, new repositories, and those being removed.
 */
const BESIDE = /^\.removed-|\.git\.(?:draft|new)-/;

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** How many files and folders were removed, of how many repositories. */
interface Swept {
  repositories: number;
  removed: number;
}

/** Names of drafts that an import may still write to, however long ago it last did. */
async function draftsAtWork(ctx: Context): Promise<ReadonlySet<string>> {
  const rows = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('projects as p')
    .select('p.id')
    .where('p.import_status', 'in', [constant('scheduled'), constant('started')])
    .execute();
  return new Set(rows.map((row) => path.basename(getRepositoryPath(ctx, row))));
}

/** Everything in one of the folders that repositories are spread over. */
async function sweepFolder(ctx: Context, folder: string, atWork: ReadonlySet<string>, swept: Swept): Promise<void> {
  for (const name of await namesIn(folder)) {
    ctx.signal.throwIfAborted();
    const [repository = ''] = name.split('.draft-');
    if (BESIDE.test(name)) {
      if (!atWork.has(repository) && (await removeIfOld(path.join(folder, name)))) swept.removed += 1;
    } else if (name.endsWith('.git')) {
      swept.repositories += 1;
      swept.removed += await sweepRepository(path.join(folder, name));
    }
  }
}

/**
 * Removes files left on disk by requests and jobs whose process died, once they have not been written to for an hour:
 * abandoned uploads, drafts of repositories, and partial files inside them. Reads the folders of all repositories, but
 * no objects. Idempotent.
 */
export async function sweepAll(ctx: Context): Promise<Swept> {
  const swept: Swept = { repositories: 0, removed: 0 };
  const incoming = path.join(ctx.config.dataDir, 'incoming');
  for (const name of await namesIn(incoming)) if (await removeIfOld(path.join(incoming, name))) swept.removed += 1;
  const root = path.join(ctx.config.dataDir, 'repositories', '@hashed');
  const atWork = await draftsAtWork(ctx);
  for (const first of await namesIn(root))
    for (const second of await namesIn(path.join(root, first)))
      await sweepFolder(ctx, path.join(root, first, second), atWork, swept);
  const others = await sweepContents(ctx);
  swept.repositories += others.repositories;
  swept.removed += others.removed;
  return swept;
}
