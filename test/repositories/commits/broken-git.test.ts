import test from 'ava';
import { gitStarts } from '../../../shared/git/index.js';
import type { GitStart } from '../../../shared/git/index.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);

/** Kills each process of git that runs one of these commands on a repository, as soon as it runs. */
function killing(repository: string, commands: readonly string[]) {
  const kill = (start: unknown) => {
    const { command, pid, repository: where } = start as GitStart;
    if (where !== repository || pid === undefined || !commands.includes(command)) return;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It was quicker.
    }
  };
  gitStarts.subscribe(kill);
  return () => {
    gitStarts.unsubscribe(kill);
  };
}

// Contract: repository-api.broken
test.serial('where git is killed the answer is an error, no branch has moved, and the next try works', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}/repository`;
  const content = Array.from({ length: 30_000 }, (_, index) => `line ${index}\n`).join('');
  const { body } = await owner.post(`${path}/commits`, {
    branch: 'side',
    start_branch: 'main',
    commit_message: 'Side',
    actions: Array.from({ length: 20 }, (_, index) => ({ action: 'create', file_path: `f${index}`, content })),
  });
  const head = async () => (await owner.get(`${path}/branches/main`)).body.commit.id as string;
  const before = await head();
  const pick = () => owner.post(`${path}/commits/${body.id}/cherry_pick`, { branch: 'main' });
  const repository = getRepositoryPath(app.context(), project);
  const reads: [string, string][] = [
    ['diff-tree', `${path}/commits/${body.id}/diff`],
    ['log', `${path}/compare?from=main&to=side`],
    ['merge-base', `${path}/merge_base?refs[]=main&refs[]=side`],
  ];
  for (const [command, url] of reads) {
    const stop = killing(repository, [command]);
    const { status } = await owner.get(url);
    stop();
    // A process that finished before the signal arrived has returned its complete output.
    t.true(status === 500 || status === 200, `${command}: ${status}`);
    t.is((await owner.get(url)).status, 200, `${command}, once more`);
  }
  for (const command of ['merge-tree', 'unpack-objects']) {
    const stop = killing(repository, [command]);
    const { status } = await pick();
    stop();
    t.is((await head()) === before, status !== 201, `${command}: moved exactly where that is said`);
    if (status === 201) return;
    t.is(status, 500, command);
  }
  t.is((await pick()).status, 201);
  t.not(await head(), before);
});
