import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setPriority } from 'node:os';
import path from 'node:path';
import { gitEnvironment } from '../../shared/git/index.js';
import { highestWhile, getMemory } from './child.js';
import type { Child } from './child.js';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import { latencies } from './load.js';
import type { BenchSite } from './bench-site.js';
import { median, quantile, withSpread } from './statistics.js';

const P50_MS = 60;
const P99_MS = 250;
const PUSHES = 100;
const AT_ONCE = 100;
const AT_ONCE_SECONDS = 10;
const REFS = 10_000;
const REFS_SECONDS = 10;
const LARGE_MIB = 1024;
const LARGE_RATIO = 1.5;
const CLONES = 10;
const MEMORY_MIB = 80;
const BESIDE_RATIO = 2;

const PERSON = {
  GIT_AUTHOR_NAME: 'Ann Example',
  GIT_AUTHOR_EMAIL: 'ann@example.com',
  GIT_COMMITTER_NAME: 'Ann Example',
  GIT_COMMITTER_EMAIL: 'ann@example.com',
};

/** Runs the git program of a person. @throws unless it ends with 0 */
async function git(args: readonly string[], cwd: string, { input = '', niceness = 0 } = {}): Promise<void> {
  const child = spawn('git', args, {
    cwd,
    env: { ...gitEnvironment(), ...PERSON, GIT_TERMINAL_PROMPT: '0' },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  if (niceness > 0 && child.pid !== undefined) setPriority(child.pid, niceness);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`git ${args[0]} ended with ${String(code)}: ${stderr.slice(0, 500)}`);
}

async function getSeconds(work: Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work;
  return (performance.now() - began) / 1000;
}

/** Between git and the service: how long the service took for each request, without git's own time. */
async function timedProxy(url: string) {
  const times: { path: string; ms: number }[] = [];
  const server = createServer((incoming, outgoing) => {
    const began = performance.now();
    const passed = request(
      `${url}${incoming.url}`,
      { method: incoming.method!, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
        answer.once('end', () => times.push({ path: incoming.url!, ms: performance.now() - began }));
      },
    );
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { times, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

/** Projects, work trees and the URLs by which git reaches the service. */
class Ground {
  constructor(
    readonly site: BenchSite,
    readonly api: Child,
    readonly folder: string,
  ) {}

  async project(name: string): Promise<string> {
    const response = await fetch(`${this.api.url}/api/v4/projects`, {
      method: 'POST',
      headers: { 'PRIVATE-TOKEN': this.site.env.INITIAL_ROOT_TOKEN!, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, visibility: 'public' }),
    });
    const { path_with_namespace: fullPath } = (await response.json()) as { path_with_namespace: string };
    if (response.status !== 201) throw new Error(`A project was answered ${response.status}.`);
    return fullPath;
  }

  urlOf(fullPath: string, base = this.api.url): string {
    const url = new URL(`${base}/${fullPath}.git`);
    url.username = 'x';
    url.password = this.site.env.INITIAL_ROOT_TOKEN!;
    return url.href;
  }

  async tree(name: string): Promise<string> {
    const folder = path.join(this.folder, name);
    await git(['init', '--quiet', '--initial-branch=main', folder], this.folder);
    return folder;
  }

  async commit(tree: string, file: string, content: string | Buffer = `${file}\n`): Promise<void> {
    await writeFile(path.join(tree, file), content);
    await git(['add', '--all'], tree);
    await git(['commit', '--quiet', `--message=Add ${file}`], tree);
  }
}

/** One commit after another to a small repository. */
async function oneCommit(ground: Ground): Promise<Goal[]> {
  const proxy = await timedProxy(ground.api.url);
  try {
    const url = ground.urlOf(await ground.project('push-one'), proxy.url);
    const tree = await ground.tree('one');
    const sums: number[] = [];
    for (let round = 0; round < PUSHES; round += 1) {
      await ground.commit(tree, `${round}.txt`);
      proxy.times.length = 0;
      await git(['push', '--quiet', url, 'HEAD:main'], tree);
      sums.push(proxy.times.reduce((sum, { ms }) => sum + ms, 0));
    }
    const [p50, p99] = [quantile(sums, 0.5), quantile(sums, 0.99)];
    return [
      {
        name: 'push of one commit, at the server',
        target: `p50 <= ${P50_MS} ms, p99 <= ${P99_MS} ms`,
        measured: `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
        holds: p50 <= P50_MS && p99 <= P99_MS,
      },
    ];
  } finally {
    proxy.server.close();
  }
}

/** The same commit to a hundred projects at the same time. */
async function pushAtOnce(ground: Ground): Promise<Goal[]> {
  const urls: string[] = [];
  for (let number = 0; number < AT_ONCE; number += 1)
    urls.push(ground.urlOf(await ground.project(`push-many-${number}`)));
  const tree = await ground.tree('many');
  await ground.commit(tree, 'README.md');
  const seconds = await getSeconds(Promise.all(urls.map((url) => git(['push', '--quiet', url, 'HEAD:main'], tree))));
  return [
    {
      name: `${AT_ONCE} pushes to ${AT_ONCE} projects, git's own processes included`,
      target: `none fails, all within ${AT_ONCE_SECONDS} s`,
      measured: `${seconds.toFixed(1)} s`,
      holds: seconds <= AT_ONCE_SECONDS,
    },
  ];
}

/** Many refs in one push, at the server: git itself matches them in a time that grows with their square. */
async function manyRefs(ground: Ground): Promise<Goal[]> {
  const proxy = await timedProxy(ground.api.url);
  try {
    const url = ground.urlOf(await ground.project('push-refs'), proxy.url);
    const tree = await ground.tree('refs');
    await ground.commit(tree, 'README.md');
    const lines = Array.from({ length: REFS }, (_none, index) => `create refs/heads/story/${index} HEAD\n`);
    await git(['update-ref', '--stdin'], tree, { input: lines.join('') });
    const whole = await getSeconds(git(['push', '--quiet', url, 'refs/heads/story/*:refs/heads/story/*'], tree));
    const seconds = proxy.times.reduce((sum, { ms }) => sum + ms, 0) / 1000;
    report(`${REFS} refs: ${whole.toFixed(1)} s with git's own time`);
    return [
      {
        name: `one push of ${REFS} refs, at the server`,
        target: `<= ${REFS_SECONDS} s`,
        measured: `${seconds.toFixed(1)} s`,
        holds: seconds <= REFS_SECONDS,
      },
    ];
  } finally {
    proxy.server.close();
  }
}

/** A push of 1 GB compared with `git receive-pack` on the same disk, alternating. */
async function large(ground: Ground): Promise<Goal[]> {
  const tree = await ground.tree('large');
  for (let file = 0; file < 16; file += 1)
    await ground.commit(tree, `${file}.bin`, randomBytes((LARGE_MIB / 16) * 1024 * 1024));
  const ratios: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const bare = path.join(ground.folder, `bare-${round}.git`);
    await git(['init', '--quiet', '--bare', bare], ground.folder);
    const theirs = await getSeconds(git(['push', '--quiet', bare, 'HEAD:main'], tree));
    const url = ground.urlOf(await ground.project(`push-large-${round}`));
    const ours = await getSeconds(git(['push', '--quiet', url, 'HEAD:main'], tree));
    report(`1 GB: service ${ours.toFixed(1)} s, git receive-pack ${theirs.toFixed(1)} s`);
    ratios.push(ours / theirs);
    await rm(bare, { recursive: true, force: true });
  }
  const goal = {
    name: 'push of 1 GB',
    target: `<= ${LARGE_RATIO} x git receive-pack`,
    measured: withSpread(ratios),
    holds: median(ratios) <= LARGE_RATIO,
  };
  return [goal, ...(await besides(ground, tree))];
}

/** In truth these clients have machines of their own: what they cost here shall take least from the service. */
const ELSEWHERE = { niceness: 15 };

/** Memory, and another request's time, while ten clones and two pushes of 1 GB go on. */
async function besides(ground: Ground, tree: string): Promise<Goal[]> {
  const source = ground.urlOf('root/push-large-0');
  const targets = await Promise.all(['push-beside-0', 'push-beside-1'].map((name) => ground.project(name)));
  const probe = `${ground.api.url}/api/v4/projects/${ground.site.data.projectId}`;
  const headers = { 'PRIVATE-TOKEN': ground.site.data.token };
  const quiet = quantile(await latencies(probe, headers, 10, 10), 0.9);
  const idle = await getMemory(ground.api);
  const clone = (number: number) =>
    git(['clone', '--quiet', '--bare', source, path.join(ground.folder, `clone-${number}`)], ground.folder, ELSEWHERE);
  const work = Promise.all([
    ...Array.from({ length: CLONES }, (_none, number) => clone(number)),
    ...targets.map((target) => git(['push', '--quiet', ground.urlOf(target), 'HEAD:main'], tree, ELSEWHERE)),
  ]);
  const busyTimes = latencies(probe, headers, 10, 10);
  const highest = await highestWhile(work, () => getMemory(ground.api));
  const busy = quantile(await busyTimes, 0.9);
  return [
    {
      name: `API memory with ${CLONES} clones and 2 pushes of 1 GB`,
      target: `<= ${MEMORY_MIB} MiB above idle`,
      measured: `${(highest - idle).toFixed(0)} MiB above ${idle.toFixed(0)}`,
      holds: highest - idle <= MEMORY_MIB,
    },
    {
      name: "another request's p90 meanwhile",
      target: `<= ${BESIDE_RATIO} x its quiet value`,
      measured: `${(busy / quiet).toFixed(2)} (${quiet.toFixed(1)} ms, then ${busy.toFixed(1)} ms)`,
      holds: busy <= BESIDE_RATIO * quiet,
    },
  ];
}

/** Pushes by the git program over HTTP. */
const pushBench = (name: string, measure: (ground: Ground) => Promise<Goal[]>): Bench => ({
  name,
  group: 'push',
  async run(site): Promise<Goal[]> {
    const api = await site.api();
    const folder = await mkdtemp(path.join(site.directory, 'push-'));
    try {
      return await measure(new Ground(site, api, folder));
    } finally {
      await api.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
});

export const pushes: Bench[] = [
  pushBench('push-one-commit', oneCommit),
  pushBench('push-at-once', pushAtOnce),
  pushBench('push-many-refs', manyRefs),
  pushBench('push-large', large),
];
