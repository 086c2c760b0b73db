import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { gitEnvironment, repositoryPath } from '../../shared/git/index.js';
import { fastImport, commitLines } from './attacks/repositories.js';
import { Child, getCpuMs } from './child.js';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import type { BenchSite } from './bench-site.js';
import { median, withSpread } from './statistics.js';

const GOAL_RATIO = 1.3;
const REPOSITORY_MIB = 200;
const COMMITS = 2000;
const FILE_BYTES = Math.floor((REPOSITORY_MIB * 1024 * 1024) / COMMITS);

/** A history in which each commit adds a file that nothing makes smaller. */
function* history(): Iterable<string | Buffer> {
  for (let index = 0; index < COMMITS; index += 1) {
    yield commitLines('large', `Add file ${index}`);
    yield `M 100644 inline files/${index % 100}/${index}.bin\ndata ${FILE_BYTES}\n`;
    yield randomBytes(FILE_BYTES);
    yield '\n';
  }
}

/** Seconds of a clone into a new folder, which is removed again. @throws unless git ends with 0 */
async function cloneOnce(url: string, directory: string): Promise<number> {
  const folder = await mkdtemp(path.join(directory, 'clone-'));
  const began = performance.now();
  const child = spawn('git', ['clone', '--quiet', '--bare', url, folder], { env: gitEnvironment(), stdio: 'inherit' });
  const code = await new Promise((resolve) => child.once('close', resolve));
  const seconds = (performance.now() - began) / 1000;
  await rm(folder, { recursive: true, force: true });
  if (code !== 0) throw new Error(`git clone ended with ${String(code)}.`);
  return seconds;
}

/** A public project with the repository, made over the API. */
async function prepare(site: BenchSite, api: Child): Promise<{ path: string; repository: string }> {
  const response = await fetch(`${api.url}/api/v4/projects`, {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': site.env.INITIAL_ROOT_TOKEN!, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Clone', visibility: 'public', initialize_with_readme: true }),
  });
  const project = (await response.json()) as { id: number; path_with_namespace: string };
  if (response.status !== 201) throw new Error(JSON.stringify(project));
  const repository = repositoryPath(path.join(site.config.dataDir, 'repositories'), project.id);
  await fastImport({ id: project.id, full_path: project.path_with_namespace, repository }, history(), 'large');
  return { path: project.path_with_namespace, repository };
}

/**
 * A clone of 200 MiB by the git program, compared with the same by `git http-backend` behind a plain server,
 * alternating.
 */
export const clone: Bench = {
  name: 'clone',
  async run(site, { rounds }): Promise<Goal[]> {
    const api = await site.api();
    const { path: fullPath, repository } = await prepare(site, api);
    const env = { ...site.env, GIT_PROJECT_ROOT: path.dirname(repository) };
    const twin = await Child.start('test/bench/twins/git-backend.js', env, site.directory);
    const ratios: number[] = [];
    const ours: number[] = [];
    const theirs: number[] = [];
    const cpu: number[] = [];
    try {
      const [own, other] = [`${api.url}/${fullPath}.git`, `${twin.url}/${path.basename(repository)}`];
      // The first read comes from the disk.
      await cloneOnce(other, site.directory);
      for (let round = 0; round < rounds; round += 1) {
        const before = await getCpuMs(api.process.pid!);
        ours.push(await cloneOnce(own, site.directory));
        const after = await getCpuMs(api.process.pid!);
        if (before !== null && after !== null) cpu.push(after - before);
        theirs.push(await cloneOnce(other, site.directory));
        ratios.push(ours.at(-1)! / theirs.at(-1)!);
      }
    } finally {
      await twin.stop();
      await api.stop();
    }
    report(`service ${withSpread(ours, 2, ' s')}, git http-backend ${withSpread(theirs, 2, ' s')}`);
    if (cpu.length > 0) report(`CPU of the API process: ${withSpread(cpu, 0, ' ms')}`);
    return [
      {
        name: 'clone',
        target: `<= ${GOAL_RATIO} x git http-backend`,
        measured: withSpread(ratios),
        holds: median(ratios) <= GOAL_RATIO,
      },
    ];
  },
};
