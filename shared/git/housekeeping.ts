import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { runGit } from './run.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What nothing refers to is kept for so long: a push that is about to refer to it has long done so. */
const CRUFT_EXPIRATION = '2.weeks.ago';
/** After so long a repository is packed anew as a whole, which is when what nothing refers to goes. */
const WHOLE_AFTER_MS = 30 * DAY;
/** Files that nobody wrote to for so long are of a process that is gone. */
const AT_WORK_MS = MINUTE;
/** Objects are spread evenly over folders by the first byte of their ids. */
const FOLDERS = 256;
/** Commits whose changed paths are computed at a time, which takes as long as comparing them all. */
const NEW_FILTERS = 20_000;

/** How many objects lie in files of their own, judged by one folder of 256. */
export async function looseObjects(repository: string): Promise<number> {
  const names = await readdir(join(repository, 'objects', '17')).catch(() => []);
  return names.length * FOLDERS;
}

/** Whether the packs of a repository have an index over all of them, as housekeeping leaves it. */
export function isPacked(repository: string): Promise<boolean> {
  return stat(join(repository, 'objects', 'pack', 'multi-pack-index')).then(
    () => true,
    () => false,
  );
}

/** Times of files in the folder of packs, by milliseconds since they were written to. */
async function agesIn(repository: string, pattern: RegExp): Promise<number[]> {
  const folder = join(repository, 'objects', 'pack');
  const names = (await readdir(folder).catch(() => [])).filter((name) => pattern.test(name));
  const found = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)));
  return found.flatMap((file) => (file ? [Date.now() - file.mtimeMs] : []));
}

/** Whether a process is packing: one that outlived its worker would see packs vanish that it has listed. */
const packedRightNow = async (repository: string) =>
  (await agesIn(repository, /^\.?tmp[-_]/)).some((age) => age < AT_WORK_MS);

/** How a repository was packed: `all` of it anew, or what had come since; `busy` where another process was at it. */
export type Housekeeping = 'all' | 'new' | 'busy';

/**
 * Packs what came since the last time, with what makes clones quick: an index over all packs with bitmaps of what each
 * branch leads to, and a graph of commits. Packs grow in steps: a large one stays as it is, and with it what forks have
 * in common with it (decision 46). Once a month all is packed anew, and what nothing has referred to for two weeks goes.
 * Pushes, fetches and forks may go on meanwhile. May take minutes; ends early with `signal`.
 * @throws RepositoryMissing, GitFailed, GitTimeout
 */
export async function keepRepository(
  repository: string,
  { signal, all }: { signal?: AbortSignal; all?: boolean } = {},
): Promise<Housekeeping> {
  if (await packedRightNow(repository)) return 'busy';
  const whole = all ?? (await agesIn(repository, /^pack-.*\.pack$/)).some((age) => age > WHOLE_AFTER_MS);
  const run = (args: string[]) =>
    runGit(repository, args, { timeoutMs: 2 * HOUR, idle: true, ...(signal && { signal }) });
  await run(['pack-refs', '--all', '--prune']);
  const how = whole ? ['--cruft', `--cruft-expiration=${CRUFT_EXPIRATION}`] : ['--geometric=2'];
  await run(['repack', '-d', '--quiet', ...how, '--write-midx', '--write-bitmap-index']);
  if (whole) await run(['prune', `--expire=${CRUFT_EXPIRATION}`]);
  const split = whole ? '--split=replace' : '--split';
  const paths = ['--changed-paths', `--max-new-filters=${NEW_FILTERS}`];
  await run(['commit-graph', 'write', '--reachable', split, ...paths, '--no-progress']);
  return whole ? 'all' : 'new';
}
