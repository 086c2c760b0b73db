import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { sql } from 'kysely';
import type { TestApp } from '../../core/app.js';
import { plainGit, temporaryFolder } from '../../git/git-fixture.js';
import { clone, git, getUrl } from './git-client.js';

type Asking = NonNullable<Parameters<typeof clone>[3]>;

const PERSON = { 'user.name': 'Ann', 'user.email': 'ann@example.com' };

/** A clone of a project, or an unrelated empty repository, for creating commits to push. */
export async function workTree(
  t: ExecutionContext,
  app: Pick<TestApp, 'url'>,
  project: { full_path: string },
  asking: Asking & { fresh?: boolean },
) {
  let folder: string;
  if (asking.fresh) {
    folder = join(await temporaryFolder(t), 'work');
    await git(['init', '--quiet', '--initial-branch=main', folder]);
  } else {
    const copy = await clone(t, app, project, asking);
    if (copy.code !== 0) throw new Error(copy.stderr);
    ({ folder } = copy);
  }
  const inside = async (...args: string[]) => {
    const { code, stdout, stderr } = await git(['-C', folder, ...args], { settings: PERSON });
    if (code !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  return {
    folder,
    inside,
    /** Commits a file; the commit's id. */
    async commit(name: string, content: string | Buffer = `${name}\n`): Promise<string> {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
      await inside('add', '--all');
      await inside('commit', '--quiet', `--message=Add ${name}`);
      return inside('rev-parse', 'HEAD');
    },
    /** Pushes; git's output for each ref is in `refs` by name: `[new branch]`, `[remote rejected] (why)`. */
    async push(args: readonly string[], how: Asking & { to?: { full_path: string } | string } = {}) {
      const url = getUrl(app, how.to ?? project, how.as ?? asking.as);
      const result = await git(['-C', folder, 'push', '--porcelain', url, ...args], how);
      const lines = result.stdout.split('\n').map((line) => line.split('\t'));
      const outcomes = lines
        .filter((line) => line.length === 3)
        .map(([, spec = '', outcome = '']) => [spec.split(':')[1], outcome]);
      return { ...result, refs: Object.fromEntries(outcomes) as Record<string, string> };
    },
  };
}

/** The refs of a repository, which must equal those of its index; throws the difference. */
export async function refsIn(app: TestApp, project: { id: number }): Promise<Record<string, string>> {
  const index = await app.context().query<{ name: string; sha: string }>(sql`
    select r.full_name as "name", r.object_sha as "sha" from repository_refs r
     where r.project_id = ${project.id} order by r.full_name collate "C"`);
  const inIndex = index.map(({ name, sha }) => `${sha} ${name}`).join('\n');
  const inGit = plainGit(getRepositoryPath(app.context(), project), [
    'for-each-ref',
    '--format=%(objectname) %(refname)',
  ]).trim();
  if (inIndex !== inGit) throw new Error(`The index has\n${inIndex}\nand git has\n${inGit}`);
  return Object.fromEntries(index.map(({ name, sha }) => [name, sha]));
}

/** Folders of objects that wait, of which a push leaves none. */
export function quarantines(app: TestApp, project: { id: number }): string[] {
  const objects = join(getRepositoryPath(app.context(), project), 'objects');
  return readdirSync(objects).filter((name) => name.startsWith('quarantine-'));
}
