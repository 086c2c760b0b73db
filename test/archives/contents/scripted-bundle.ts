import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A bundle of the repository in which a shell script makes its refs. */
async function scriptedBundle(script: string): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'scripted-bundle-'));
  const env = { ...process.env, GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@a.test' };
  const committer = { GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@a.test' };
  const whole = `set -e; git init -q -b main r; cd r; ${script}; git bundle create -q ../out.bundle --all`;
  try {
    await run('sh', ['-c', whole], { cwd: folder, env: { ...env, ...committer } });
    return await readFile(path.join(folder, 'out.bundle'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A commit with a folder that is called as git's own. */
export const dotGitBundle = () =>
  scriptedBundle(`
    blob=$(echo x | git hash-object -w --stdin)
    inner=$(printf '100644 blob %s\\tconfig\\n' $blob | git mktree)
    tree=$(printf '040000 tree %s\\t.git\\n' $inner | git mktree)
    git update-ref refs/heads/main $(git commit-tree -m bad $tree)`);

/** A commit with so many files. */
export const filesBundle = (count: number) =>
  scriptedBundle(`for n in $(seq ${count}); do echo $n > file-$n; done; git add .; git commit -qm Many`);
