import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { repositoryPath } from '../../../shared/git/index.js';
import { ROOT_TOKEN, startService } from '../../core/processes.js';
import { temporaryFolder } from '../../git/git-fixture.js';
import { workTree } from '../git-http/push-client.js';
import { equal, getGit, getRepositories } from './killed-service.js';

const DISK_MIB = 8;
const ROOT = { token: ROOT_TOKEN };

/** A data folder with its repositories on a separate small disk; null if mounting is not possible. */
async function smallDisk(t: ExecutionContext): Promise<string | null> {
  const folder = path.join(await temporaryFolder(t), 'data');
  const repositories = path.join(folder, 'repositories');
  mkdirSync(repositories, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=0700`, 'tmpfs', repositories], {
      stdio: 'ignore',
    });
  } catch {
    return null;
  }
  // The last thing to be done: the service has to leave it first.
  t.teardown(() => void execFileSync('umount', ['--lazy', repositories]));
  return folder;
}

/** Takes all space that is left. @returns gives it back */
function fill(folder: string): () => void {
  const names: string[] = [];
  for (const size of [1 << 20, 1 << 16, 1 << 12]) {
    for (;;) {
      const name = path.join(folder, `.filler-${size}-${names.length}`);
      names.push(name);
      try {
        writeFileSync(name, Buffer.alloc(size));
      } catch {
        break;
      }
    }
  }
  return () => {
    for (const name of names) rmSync(name, { force: true });
  };
}

// Contract: git-http-5.full-disk
test('on a full disk pushes and commits fail in words, nothing is half there, and all goes on once there is space', async (t) => {
  t.timeout(180_000);
  const folder = await smallDisk(t);
  if (folder === null) return t.pass('no disk may be mounted here');
  const service = await startService(t, { env: { DATA_DIR: folder } });
  const project = (await service.root.post('/projects', { name: 'Narrow', initialize_with_readme: true })).body;
  const url = `/projects/${project.id}/repository`;
  const repository = repositoryPath(getRepositories(service), project.id);
  const commit = (file: string) =>
    service.root.post(`${url}/commits`, {
      branch: 'main',
      commit_message: `Add ${file}`,
      actions: [{ action: 'create', file_path: file, content: file }],
    });
  const quarantines = () => readdirSync(path.join(repository, 'objects')).filter((name) => name.startsWith('quar'));
  const tree = await workTree(t, service, { full_path: project.path_with_namespace }, { as: ROOT });
  const before = getGit(service, project.id);

  await tree.inside('checkout', '--quiet', '-b', 'large');
  await tree.commit('large.bin', randomBytes(2 * DISK_MIB * 1024 * 1024));
  const large = await tree.push(['HEAD:refs/heads/large'], { as: ROOT });
  t.not(large.code, 0);
  t.regex(large.stderr + large.stdout, /no space|disk|storage/i);
  t.is(getGit(service, project.id), before);
  t.deepEqual(quarantines(), []);

  const empty = fill(getRepositories(service));
  await tree.inside('checkout', '--quiet', 'main');
  await tree.commit('small.txt');
  const small = await tree.push(['HEAD:refs/heads/main'], { as: ROOT });
  t.not(small.code, 0);
  t.log(small.stderr, small.stdout);
  const rejection = await commit('refused.txt');
  t.is(rejection.status, 507, rejection.text);
  t.is((await service.root.get(`${url}/commits`)).body.length, 1, 'what is there is read');
  await equal(service, project.id);
  t.is(getGit(service, project.id), before);
  t.deepEqual(quarantines(), []);

  empty();
  const pushed = await tree.push(['HEAD:refs/heads/main'], { as: ROOT });
  t.is(pushed.code, 0, pushed.stderr);
  t.is((await commit('later.txt')).status, 201);
  await equal(service, project.id);
});
