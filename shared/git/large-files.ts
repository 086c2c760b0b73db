import type { Comparing } from './compare-files.js';
import { GitOutputTooLarge } from './errors.js';
import type { Repository } from './pools.js';
import { eachRecord } from './output-records.js';
import { runGitText, scanGit } from './run.js';

const NUL = 0;
const RAW = /^:\d{6} \d{6} ([0-9a-f]{40}) ([0-9a-f]{40}) /;
/** Of a record: a path is shorter. */
const RECORD_BYTES = 8 * 1024;

/** Maximum number of files to check, and of large ones among them that git can be told to exclude. */
const MOST_FILES = 100_000;
const MOST_PATH_BYTES = 64 * 1024 * 1024;
const MOST_LARGE = 1000;
const LARGE_BYTES = 4 * 1024 * 1024;

/** Files that came, went, or became something else, with the ids of their content. */
async function cameAndWent(repository: Repository, { from, to }: { from: string; to: string }, how: Comparing) {
  const files: { path: string; ids: string[] }[] = [];
  let ids: string[] = [];
  let bytes = 0;
  const take = eachRecord(NUL, RECORD_BYTES, (record) => {
    const [, before, after] = RAW.exec(record.toString('latin1', 0, 100)) ?? [];
    if (before !== undefined && after !== undefined) ids = [before, after];
    else files.push({ path: record.toString('utf8'), ids });
    bytes += record.length;
    if (bytes > MOST_PATH_BYTES) throw new GitOutputTooLarge('diff-tree', MOST_PATH_BYTES);
    return files.length >= MOST_FILES;
  });
  const args = ['diff-tree', '-r', '-z', '--raw', ...how.renames, '--diff-filter=ADT', from, to, '--'];
  await scanGit(repository, args, take, { pool: 'long', extras: how.extras });
  return files;
}

/**
 * Paths of the files of 4 MiB and more that came, went, or became something else from one commit or tree to another.
 * @throws GitOutputTooLarge for more than a thousand
 */
export async function largeFiles(
  repository: Repository,
  range: { from: string; to: string },
  how: Comparing,
): Promise<string[]> {
  const files = await cameAndWent(repository, range, how);
  const ids = [...new Set(files.flatMap((file) => file.ids))];
  const input = `${ids.join('\n')}\n`;
  const text = await runGitText(repository, ['cat-file', '--batch-check=%(objectname) %(objectsize)'], { input });
  const large = new Set<string>();
  for (const line of text.split('\n')) {
    const [id = '', size] = line.split(' ');
    if (Number(size) >= LARGE_BYTES) large.add(id);
  }
  const paths = files.filter((file) => file.ids.some((id) => large.has(id))).map((file) => file.path);
  if (paths.length > MOST_LARGE) throw new GitOutputTooLarge('diff-tree', LARGE_BYTES);
  return paths;
}
