import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { repositoryPath } from '../../../shared/git/index.js';
import { eventually, ROOT_TOKEN, startService } from '../../core/processes.js';
import type { StartedService } from '../../core/processes.js';
import { plainGit } from '../../git/git-fixture.js';
import { workTree } from '../git-http/push-client.js';
import { equal, getGit, killApi, KILLS, LONG, getRepositories } from './killed-service.js';

// A long test: processes are killed and waited for.
// A process of its own: processes are killed and waited for.

const PROJECTS = LONG ? 4 : 2;
/** Large enough for a push to take a while. */
const FILE_BYTES = 300_000;
const ROOT = { token: ROOT_TOKEN };

interface Pushed {
  /** Ref updates reported to git as successful, by full name. */
  landed: Map<string, string>;
  /** Ref updates without a report: they may have been applied or not. */
  unknown: Map<string, string>;
}

interface Pushing {
  go: boolean;
  done: number;
  /** git's output for the last push. */
  last: string;
}

const createProject = async (service: StartedService, name: string) =>
  (await service.root.post('/projects', { name })).body as { id: number; path_with_namespace: string };

/** Pushes a growing branch along with new branches and tags, until stopped. */
async function keepPushing(t: ExecutionContext, service: StartedService, path: string, pushing: Pushing) {
  const pushed: Pushed = { landed: new Map(), unknown: new Map() };
  const tree = await workTree(t, service, { full_path: path }, { fresh: true });
  // What does not compress is not tried to be: git would be busy with that alone.
  for (const [name, value] of [
    ['core.compression', '0'],
    ['pack.window', '0'],
  ])
    await tree.inside('config', name!, value!);
  let reached = true;
  let sha = '';
  for (let round = 0; pushing.go; round += 1) {
    // While the service is down, the same commit is retried: otherwise the next push would keep growing.
    if (reached) sha = await tree.commit(`${round}.bin`, randomBytes(FILE_BYTES));
    const refs = ['refs/heads/main', `refs/heads/story-${round}`, `refs/tags/v${round}`];
    const atomic = round % 2 === 0 ? ['--atomic'] : [];
    const { refs: outcomes, stderr } = await tree.push([...atomic, ...refs.map((ref) => `HEAD:${ref}`)], { as: ROOT });
    pushing.last = stderr + JSON.stringify(outcomes);
    for (const ref of refs) {
      const outcome = outcomes[ref];
      const landed = outcome !== undefined && !outcome.includes('rejected') && !outcome.includes('failure');
      (landed ? pushed.landed : pushed.unknown).set(ref, sha);
      if (landed && ref === 'refs/heads/main') pushed.unknown.delete(ref);
    }
    reached = outcomes['refs/heads/main'] !== undefined;
    if (reached) pushing.done += 1;
    else await pause(200);
  }
  return pushed;
}

/** Compares the results reported for pushes with the actual refs. */
function assertLanded(t: ExecutionContext, service: StartedService, id: number, { landed, unknown }: Pushed) {
  const lines = getGit(service, id).trim().split('\n').filter(Boolean);
  const there = new Map(lines.map((line) => [line.slice(41), line.slice(0, 40)] as const));
  const main = 'refs/heads/main';
  for (const [ref, sha] of landed) if (ref !== main) t.is(there.get(ref), sha, `${ref} of ${id} landed`);
  for (const [ref, sha] of unknown)
    if (ref !== main) t.true([undefined, sha].includes(there.get(ref)), `${ref} of ${id} is whole or not there`);
  const last = landed.get(main);
  if (last)
    plainGit(repositoryPath(getRepositories(service), id), ['merge-base', '--is-ancestor', last, there.get(main)!]);
}

// Contract: git-http-5.kills
test.serial(
  'the API is killed at random during pushes: what git was told is there, and nothing is half there',
  async (t) => {
    t.timeout(LONG ? 3_600_000 : 180_000);
    const service = await startService(t);
    service.database.on('error', () => undefined);
    const projects = await Promise.all(
      Array.from({ length: PROJECTS }, (_none, number) => createProject(service, `Pushed ${number}`)),
    );
    const pushing = { go: true, done: 0, last: '' };
    const pushers = projects.map(({ path_with_namespace: path }) => keepPushing(t, service, path, pushing));
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = pushing.done;
      await eventually(async () => Promise.resolve(pushing.done > before), 120).catch((error: unknown) => {
        pushing.go = false;
        throw new Error(`After ${kill} kills pushes no longer land: ${pushing.last}`, { cause: error });
      });
      await pause(Math.random() * 400);
      await killApi(service);
    }
    pushing.go = false;
    const pushed = await Promise.all(pushers);
    for (const [at, { id, path_with_namespace: path }] of projects.entries()) {
      await equal(service, id);
      assertLanded(t, service, id, pushed[at]!);
      const repository = repositoryPath(getRepositories(service), id);
      t.is(plainGit(repository, ['fsck', '--connectivity-only', '--no-dangling']).trim(), '', `${id}`);
      const tree = await workTree(t, service, { full_path: path }, { as: ROOT });
      await tree.commit('at-the-end.txt');
      const { refs, stderr } = await tree.push(['HEAD:refs/heads/main'], { as: ROOT });
      t.notRegex(refs['refs/heads/main'] ?? 'rejected', /rejected/, stderr);
    }
    t.log(`${pushing.done} pushes, ${KILLS} kills`);
  },
);

// Contract: git-http-5.processes
test.serial(
  'two API processes push to one volume at once: each ref has one winner, and index and refs are equal',
  async (t) => {
    t.timeout(180_000);
    const service = await startService(t);
    const first = service.url;
    await service.startApi();
    const project = await createProject(service, 'Two processes');
    const start = await workTree(t, service, { full_path: project.path_with_namespace }, { fresh: true });
    await start.commit('README.md');
    await start.push(['HEAD:refs/heads/main'], { as: ROOT });
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async (_none, number) => {
        const app = { url: number % 2 === 0 ? first : service.url };
        const tree = await workTree(t, app, { full_path: project.path_with_namespace }, { as: ROOT });
        const sha = await tree.commit(`from-${number}.txt`);
        const own = `refs/heads/own-${number}`;
        const { refs } = await tree.push([`HEAD:${own}`, 'HEAD:refs/heads/main'], { as: ROOT });
        return { sha, own: refs[own] ?? '', main: refs['refs/heads/main'] ?? '' };
      }),
    );
    await equal(service, project.id);
    for (const { own } of outcomes) t.is(own, '[new branch]');
    const winners = outcomes.filter(({ main }) => main !== '' && !main.includes('rejected'));
    t.is(winners.length, 1, JSON.stringify(outcomes));
    t.true(getGit(service, project.id).includes(`${winners[0]!.sha} refs/heads/main`));
  },
);
