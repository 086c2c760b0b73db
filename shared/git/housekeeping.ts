import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { runGit } from './run.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Unreferenced objects are kept this long: by then, a push that uses them has long added its refs. */
const CRUFT_EXPIRATION = '2.weeks.ago';
/** Interval of full repacks, which also delete unreferenced objects. */
const WHOLE_AFTER_MS = 30 * DAY;
/** Files that were not written to for this long belong to a process that no longer exists. */
const AT_WORK_MS = MINUTE;
/** Objects are spread evenly over folders by the first byte of their ids. */
const FOLDERS = 256;
/** Commits whose changed paths are computed at once; this takes as long as comparing all of them. */
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

/** How a repository was packed: `all` of it, or only `new` objects; `busy` if another process was packing it. */
export type Housekeeping = 'all' | 'new' | 'busy';

/**
 * Packs new objects, and updates the data that makes clones fast: an index over all packs with bitmaps of the objects
 * of each branch, and a commit graph. Packs grow geometrically: a large one stays unchanged, and so does its part
 * shared with forks (decision 46). Once a month everything is repacked, and objects unreferenced for two weeks are
 * deleted. Pushes, fetches and forks may run in the meantime. May take minutes; aborts with `signal`.
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
