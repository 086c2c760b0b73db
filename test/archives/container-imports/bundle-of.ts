import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A bundle of a repository that git commands make. */
export async function getBundle(commands: readonly string[][]): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bundle-import-'));
  const git = (args: readonly string[]) =>
    run('git', ['-c', 'user.name=A', '-c', 'user.email=a@a.test', '-C', folder, ...args]);
  try {
    await git(['init', '-q', '-b', 'main']);
    await writeFile(path.join(folder, 'a'), 'a');
    await git(['add', 'a']);
    await git(['commit', '-qm', 'One']);
    for (const command of commands) await git(command);
    await git(['bundle', 'create', '-q', 'out.bundle', '--all']);
    return await readFile(path.join(folder, 'out.bundle'));
  } finally {
    await rm(folder, { recursive: true });
  }
}
