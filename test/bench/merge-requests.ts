import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repositoryPath } from '../../shared/git/index.js';
import { commitLines, fastImport, fileLines } from './attacks/repositories.js';
import { compare } from './compare.js';
import type { Bench, Goal } from './goal.js';
import type { LargeSite } from './large-site.js';
import type { BenchSite } from './bench-site.js';
import { CALLERS } from './seed/callers.js';
import { ISSUE_PROJECT, PLANNING_PROJECT, planningGroupId } from './seed/planning.js';
import { median, withSpread } from './statistics.js';

/** Lists work some ten times as long as a record. */
const LIST_WARM_UP = 400;
const READ_WARM_UP = 2000;

const { token } = CALLERS.reporter;

interface Comparison {
  name: string;
  path: (site: LargeSite) => string;
  share: number;
  warmUp: number;
}

const COMPARISONS: Comparison[] = [
  {
    name: 'merge-request-list',
    path: () => `/projects/${PLANNING_PROJECT}/merge_requests?state=opened`,
    share: 0.4,
    warmUp: LIST_WARM_UP,
  },
  {
    name: 'merge-request-read',
    path: () => `/projects/${ISSUE_PROJECT}/merge_requests/50`,
    share: 0.35,
    warmUp: READ_WARM_UP,
  },
];

const comparisons: Bench[] = COMPARISONS.map(({ path: pathOf, ...comparison }) => ({
  name: comparison.name,
  async run(site, effort) {
    const large = await site.large();
    return compare(large, effort, { ...comparison, path: `/api/v4${pathOf(large)}`, token });
  },
}));

/** The list of a group with 1,000 projects: how long it takes at half load, not how many there are in a second. */
const groupList: Bench = {
  name: 'merge-request-list-of-group',
  async run(site, effort) {
    const large = await site.large();
    const url = `/api/v4/groups/${planningGroupId(large.sizes)}/merge_requests`;
    const goals = await compare(large, effort, { name: this.name, path: url, share: 0, token, warmUp: LIST_WARM_UP });
    return goals.filter(({ name }) => name.endsWith('latency'));
  },
};

const COMMITS = 100;
const MERGE_MS = 500;
const VERSION_MS = 1000;
const TIMEOUT_MS = 30_000;

/** A hundred commits on top of another one. */
function* story(from: string): Iterable<string> {
  for (let index = 0; index < COMMITS; index += 1) {
    yield commitLines('large', `Step ${index}`);
    if (index === 0) yield `from ${from}\n`;
    yield fileLines(`steps/${index}.txt`, `Step ${index}\n`);
  }
}

type Called = <T>(method: string, rest: string, body?: object) => Promise<T>;

interface Request {
  iid: number;
  sha: string;
  detailed_merge_status: string;
}

/** Polls until a merge request meets a condition. @throws after half a minute */
async function until(call: Called, iid: number, is: (request: Request) => boolean): Promise<Request> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const request = await call<Request>('GET', `/merge_requests/${iid}`);
    if (is(request)) return request;
    if (performance.now() > deadline) throw new Error(`The merge request is ${request.detailed_merge_status}.`);
    await sleep(10);
  }
}

/** Merge requests with a hundred commits each, and a client for them. */
async function prepare(site: BenchSite, url: string): Promise<{ call: Called; head: string }> {
  const token = site.env.INITIAL_ROOT_TOKEN!;
  const ask = async <T>(method: string, rest: string, body?: object): Promise<T> => {
    const response = await fetch(`${url}/api/v4${rest}`, {
      method,
      headers: { 'PRIVATE-TOKEN': token, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${rest}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const attributes = { name: 'Merged', initialize_with_readme: true };
  const project = await ask<{ id: number; path_with_namespace: string }>('POST', '/projects', attributes);
  const call: Called = (method, rest, body) => ask(method, `/projects/${project.id}${rest}`, body);
  const { commit } = await call<{ commit: { id: string } }>('GET', '/repository/branches/main');
  const repository = repositoryPath(path.join(site.config.dataDir, 'repositories'), project.id);
  const imported = { id: project.id, full_path: project.path_with_namespace, repository };
  return { call, head: await fastImport(imported, story(commit.id), 'large') };
}

const within = (name: string, times: readonly number[], most: number): Goal => ({
  name,
  target: `<= ${most} ms`,
  measured: withSpread(times, 0, ' ms'),
  holds: median(times) <= most,
});

async function getTime(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Merges of a hundred commits, and how soon a push is visible as a version: with a worker next to the API. */
const merges: Bench = {
  name: 'merge',
  async run(site, { rounds }) {
    const api = await site.api();
    const worker = await site.worker();
    try {
      const { call, head } = await prepare(site, api.url);
      const [merging, delays]: [number[], number[]] = [[], []];
      for (let round = 0; round <= rounds; round += 1) {
        const [source, target] = [`story-${round}`, `target-${round}`];
        await call('POST', '/repository/branches', { branch: target, ref: 'main' });
        await call('POST', '/repository/branches', { branch: source, ref: head });
        const { iid } = await call<Request>('POST', '/merge_requests', {
          source_branch: source,
          target_branch: target,
          title: source,
        });
        await until(call, iid, (request) => request.detailed_merge_status === 'mergeable');
        delays.push(
          await getTime(async () => {
            const { id: sha } = await call<{ id: string }>('POST', '/repository/commits', {
              branch: source,
              commit_message: 'More',
              actions: [{ action: 'create', file_path: `more-${round}.txt`, content: 'a' }],
            });
            await until(call, iid, (request) => request.sha === sha);
          }),
        );
        await until(call, iid, (request) => request.detailed_merge_status === 'mergeable');
        merging.push(await getTime(() => call('PUT', `/merge_requests/${iid}/merge`)));
      }
      return [
        within(`merge of ${COMMITS} commits`, merging.slice(1), MERGE_MS),
        within('push until its version', delays.slice(1), VERSION_MS),
      ];
    } finally {
      await worker.stop();
      await api.stop();
    }
  },
};

const POSITIONS = 1000;
const MOVED_MS = 5000;

const lines = (count: number, from = 0) =>
  Array.from({ length: count }, (_none, index) => `Line ${from + index}\n`).join('');

/**
 * A thread at each of a thousand lines, and a push that moves them all: the time until the last one is at its new line.
 */
const movedPositions: Bench = {
  name: 'moved-positions',
  async run(site) {
    const api = await site.api();
    const worker = await site.worker();
    try {
      const { call } = await prepare(site, api.url);
      const commit = (branch: string, action: object) =>
        call<{ id: string }>('POST', '/repository/commits', { branch, commit_message: 'Write', actions: [action] });
      const file = { file_path: 'long.txt' };
      await call('POST', '/repository/branches', { branch: 'long', ref: 'main' });
      const { id: head } = await commit('long', { action: 'create', ...file, content: lines(POSITIONS) });
      const opened = { source_branch: 'long', target_branch: 'main', title: 'Long' };
      const { iid } = await call<Request>('POST', '/merge_requests', opened);
      await until(call, iid, (request) => request.detailed_merge_status === 'mergeable');
      const { diff_refs: refs } = await call<{ diff_refs: object }>('GET', `/merge_requests/${iid}`);
      for (let line = 1; line <= POSITIONS; line += 1)
        await call('POST', `/merge_requests/${iid}/discussions`, {
          body: 'Why?',
          position: { ...refs, position_type: 'text', old_path: 'long.txt', new_path: 'long.txt', new_line: line },
        });
      const moved = await getTime(async () => {
        const content = `${lines(10, POSITIONS)}${lines(POSITIONS)}`;
        const { id: sha } = await commit('long', { action: 'update', ...file, content });
        for (const deadline = performance.now() + TIMEOUT_MS; ; await sleep(20)) {
          const { rows } = await site.db.query<{ old: number }>(
            `select count(*)::int as old from notes
              where position ->> 'head_sha' <> $1 and position ->> 'new_path' = 'long.txt'`,
            [sha],
          );
          if (rows[0]?.old === 0) return;
          if (performance.now() > deadline)
            throw new Error(`${rows[0]?.old} threads stand where they stood at ${head}.`);
        }
      });
      return [within(`push until ${POSITIONS} positions moved`, [moved], MOVED_MS)];
    } finally {
      await worker.stop();
      await api.stop();
    }
  },
};

/** Lists and records among 100,000 merge requests, merges, and versions. */
export const mergeRequestBenches: Bench[] = [...comparisons, groupList, merges, movedPositions];
