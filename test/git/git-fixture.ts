import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import {
  writeCommit,
  createRepository,
  gitEnvironment,
  updateRefs,
  type CommitAction,
  type NewCommit,
} from '../../shared/git/index.js';

export const ann = { name: 'Ann Example', email: 'ann@example.com' };
export const noon = new Date('2030-01-01T12:00:00Z');

/** A folder of this test alone, removed after it. */
export async function temporaryFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'git-test-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An empty bare repository with default branch `main`. */
export async function emptyRepository(t: ExecutionContext): Promise<string> {
  const repository = join(await temporaryFolder(t), 'test.git');
  await createRepository(repository, 'main');
  return repository;
}

/** Commits to a branch (`main` by default) and updates it; returns the commit's id. */
export async function commitOn(
  repository: string,
  baseSha: string | null,
  actions: CommitAction[],
  rest: Partial<NewCommit> & { branch?: string } = {},
): Promise<string> {
  const { branch = 'main', ...commit } = rest;
  const { sha } = await writeCommit(repository, {
    baseSha,
    message: 'A change',
    author: ann,
    committer: ann,
    at: noon,
    actions,
    ...commit,
  });
  await updateRefs(repository, [{ ref: `refs/heads/${branch}`, new: sha }]);
  return sha;
}

/** A file to create, with text content. */
export function file(file_path: string, text = `${file_path}\n`): CommitAction {
  return { action: 'create', file_path, content: Buffer.from(text) };
}

/** The output of plain git, as an independent reference. */
export function plainGit(repository: string, args: string[], input?: string | Buffer): string {
  const env = {
    ...gitEnvironment(),
    GIT_AUTHOR_NAME: 'x',
    GIT_AUTHOR_EMAIL: 'x',
    GIT_COMMITTER_NAME: 'x',
    GIT_COMMITTER_EMAIL: 'x',
  };
  return execFileSync('git', [`--git-dir=${repository}`, ...args], { env, input, encoding: 'utf8', stdio: 'pipe' });
}
