import { GitFailed, PackRejectedError } from '../errors.js';
import { readObjects } from '../objects.js';
import type { GitObject, ObjectType } from '../objects.js';
import { requireSha } from '../object-ids.js';
import { readObjectDate } from '../object-dates.js';
import { runGit, runGitText } from '../run.js';
import type { QuarantinedRepository } from './quarantine.js';

/** The new object of a ref. */
export interface PushedObject {
  type: ObjectType;
  /** The commit that it points to; null if it points to another type of object. */
  commit: string | null;
  /** The creation date of the object, in seconds since 1970; 0 if unknown. */
  date: number;
  /** First line of the commit's message, cut; null without a commit. */
  title: string | null;
}

/** Objects that one process reads. */
const AT_ONCE = 1000;
/** Bytes to read of each: the header of the commit, and the part of its message that is shown. */
const READ_BYTES = 8 * 1024;
/** Characters of a title. */
const TITLE_CHARACTERS = 255;

/** The first line behind the head of a commit. */
function getTitle({ content }: GitObject): string {
  const at = content.indexOf('\n\n');
  const message = at < 0 ? '' : content.toString('utf8', at + 2).trimStart();
  const [line = ''] = message.split('\n', 1);
  return line.replaceAll('\0', '').trim().slice(0, TITLE_CHARACTERS);
}

/** Reads the new objects of refs, by id; missing objects are left out. */
export async function readPushed(repository: QuarantinedRepository, shas: readonly string[]) {
  const found = new Map<string, PushedObject>();
  const ids = [...new Set(shas)];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE).map(requireSha);
    const names = some.flatMap((sha) => [sha, `${sha}^{commit}`]);
    const objects = await readObjects(repository, names, READ_BYTES);
    some.forEach((sha, index) => {
      const object = objects[2 * index];
      const commit = objects[2 * index + 1] ?? null;
      if (!object) return;
      found.set(sha, {
        type: object.type,
        commit: commit?.sha ?? null,
        date: readObjectDate(object.content),
        title: commit && getTitle(commit),
      });
    });
  }
  return found;
}

/**
 * Makes sure that all is there that objects lead to, as far as no ref of the repository leads to it already: objects
 * that nothing leads to may be anything.
 * @throws PackRejectedError
 */
export async function requireConnected(repository: QuarantinedRepository, shas: readonly string[]): Promise<void> {
  const input = `${[...new Set(shas)].map(requireSha).join('\n')}\n`;
  // As in a push to git's own server: the input lists new objects, and all refs are known ones.
  const args = ['rev-list', '--objects', '--quiet', '--stdin', '--not', '--all'];
  try {
    await runGit(repository, args, { input, pool: 'transfer' });
  } catch (error) {
    if (error instanceof GitFailed && error.signal === 'SIGSEGV')
      throw new PackRejectedError('Folders lie too deep within each other.');
    if (!(error instanceof GitFailed) || error.exitCode === null) throw error;
    throw new PackRejectedError('Objects are missing that these branches and tags lead to.', true);
  }
}

/** Commits that are counted. */
const MOST_COUNTED = 10_000;

/** How many commits a commit's history has more than another's, all of it without one; 10,000 at most. */
export async function countNewCommits(
  repository: QuarantinedRepository,
  sha: string,
  without: string | null,
): Promise<number> {
  const excluded = without === null ? [] : [`^${requireSha(without)}`];
  const args = ['rev-list', '--count', `--max-count=${MOST_COUNTED}`, requireSha(sha), ...excluded, '--'];
  return Number(await runGitText(repository, args, { pool: 'long' }));
}
