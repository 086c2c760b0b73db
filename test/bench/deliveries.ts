import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repositoryPath } from '../../shared/git/index.js';
import { commitLines, fastImport, fileLines } from './attacks/repositories.js';
import type { Child } from './child.js';
import { compare } from './compare.js';
import { report } from './goal.js';
import type { Bench, Effort, Goal } from './goal.js';
import type { LargeSite } from './large-site.js';
import { latencies, peakRate, warmUp } from './load.js';
import type { BenchSite } from './bench-site.js';
import { CALLERS } from './seed/callers.js';
import { BUSY_PROJECT, busyGroupId } from './seed/deliveries.js';
import { quantile } from './statistics.js';

const LIST_WARM_UP = 400;
const READ_WARM_UP = 2000;
const { token } = CALLERS.reporter;
const RANGE = 'start_date=2027-03-01&end_date=2027-05-29';
const HEAD = '5'.repeat(40);

/** Fills the daily rows by the command that does it. @returns what it took */
async function rebuild(site: LargeSite): Promise<{ seconds: number; idleMib: number; mostMib: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, [path.join('dist', 'shared', 'rebuild.js')], {
    env: { ...process.env, ...site.env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const going = { on: true };
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  void exit.then(() => (going.on = false));
  const memory: number[] = [];
  while (going.on) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    const kib = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN);
    if (!Number.isNaN(kib)) memory.push(kib / 1024);
    await sleep(50);
  }
  if ((await exit) !== 0) throw new Error('The rebuild failed.');
  // Its modules are loaded after a second, and it has only begun.
  const idleMib = memory[Math.min(memory.length - 1, 20)] ?? Number.NaN;
  return { seconds: (performance.now() - began) / 1000, idleMib, mostMib: Math.max(...memory) };
}

let rebuilt: ReturnType<typeof rebuild> | undefined;

/** The large site with its metrics, which are computed once. */
async function busySite(site: BenchSite): Promise<LargeSite> {
  const large = await site.large();
  await (rebuilt ??= rebuild(large));
  return large;
}

const rebuildAll: Bench = {
  name: 'dora-rebuild',
  async run(site) {
    await busySite(site);
    const { seconds, idleMib, mostMib } = await rebuilt!;
    report(`memory in MiB: ${idleMib.toFixed(0)} at first, ${mostMib.toFixed(0)} at most`);
    return [
      { name: 'full rebuild', target: '<= 60 s', measured: `${seconds.toFixed(1)} s`, holds: seconds <= 60 },
      {
        name: 'memory of the rebuild',
        target: '<= 150 MiB above idle',
        measured: `${(mostMib - idleMib).toFixed(0)} MiB`,
        holds: mostMib - idleMib <= 150,
      },
    ];
  },
};

interface Comparison {
  name: string;
  path: (site: LargeSite) => Promise<string> | string;
  share: number;
  warmUp: number;
  post?: object;
  unlike?: readonly string[];
}

async function someDeployment(site: LargeSite): Promise<string> {
  const { rows } = await site.db.query<{ id: string }>(
    'select id from deployments where project_id = $1 order by id offset 100 limit 1',
    [BUSY_PROJECT],
  );
  return `/projects/${BUSY_PROJECT}/deployments/${rows[0]?.id}`;
}

/** A branch whose head is deployed, in the index of refs alone. */
async function branchToDeploy(site: LargeSite): Promise<string> {
  await site.db.query(
    `insert into repository_refs (project_id, kind, full_name, name, object_sha, target_sha, created_at, updated_at)
     values ($1, 'branch', 'refs/heads/main', 'main', $2, $2, now(), now())
     on conflict (project_id, full_name) do update set object_sha = excluded.object_sha, target_sha = excluded.target_sha`,
    [BUSY_PROJECT, HEAD],
  );
  await site.db.query(`update projects set repository_created = true, default_branch = 'main' where id = $1`, [
    BUSY_PROJECT,
  ]);
  return `/projects/${BUSY_PROJECT}/deployments`;
}

const COMPARISONS: Comparison[] = [
  {
    name: 'dora-of-project',
    path: () => `/projects/${BUSY_PROJECT}/dora/metrics?metric=deployment_frequency&${RANGE}`,
    share: 0.45,
    warmUp: READ_WARM_UP,
  },
  { name: 'environment-list', path: () => `/projects/${BUSY_PROJECT}/environments`, share: 0.4, warmUp: LIST_WARM_UP },
  { name: 'deployment-list', path: () => `/projects/${BUSY_PROJECT}/deployments`, share: 0.4, warmUp: LIST_WARM_UP },
  { name: 'deployment-read', path: someDeployment, share: 0.4, warmUp: READ_WARM_UP },
  {
    name: 'deployment-create',
    path: branchToDeploy,
    share: 0.3,
    warmUp: LIST_WARM_UP,
    post: { environment: 'production', ref: 'main', sha: HEAD, tag: false, status: 'running' },
    unlike: ['id', 'iid', 'created_at', 'updated_at'],
  },
];

const comparisons: Bench[] = COMPARISONS.map(({ path: pathOf, ...comparison }) => ({
  name: comparison.name,
  async run(site, effort) {
    const large = await busySite(site);
    return compare(large, effort, { ...comparison, path: `/api/v4${await pathOf(large)}`, token });
  },
}));

/** Runs something on an API process of the large site. */
async function onApi(site: LargeSite, run: (api: Child) => Promise<Goal[]>): Promise<Goal[]> {
  const api = await site.api();
  try {
    return await run(api);
  } finally {
    await api.stop();
  }
}

const within = (name: string, mostMs: number, times: readonly number[]): Goal => ({
  name,
  target: `p90 <= ${mostMs} ms`,
  measured: `${quantile(times, 0.9).toFixed(1)} ms`,
  holds: quantile(times, 0.9) <= mostMs,
});

const GROUP_MS = 60;
const WARM_UPS = 64;

/** The metrics of a group with 1,000 projects, at half the rate that the service can serve. */
const ofGroup: Bench = {
  name: 'dora-of-group',
  async run(site, { seconds }) {
    const large = await busySite(site);
    const headers = { 'private-token': token };
    return onApi(large, async (api) => {
      const goals: Goal[] = [];
      for (const interval of ['daily', 'monthly', 'all']) {
        const base = `${api.url}/api/v4/groups/${busyGroupId(large.sizes)}/dora/metrics`;
        const url = `${base}?metric=lead_time_for_changes&interval=${interval}&${RANGE}`;
        await warmUp(url, headers, WARM_UPS);
        const rate = (await peakRate(url, headers, seconds)) / 2;
        report(`${interval}: at ${rate.toFixed(1)}/s`);
        goals.push(within(`dora of a group, ${interval}`, GROUP_MS, await latencies(url, headers, rate, seconds * 2)));
      }
      return goals;
    });
  },
};

async function getTimes(url: string, effort: Effort): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn <= 8 * effort.rounds; turn += 1) {
    const began = performance.now();
    const response = await fetch(url, { headers: { 'private-token': token } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${url} answers ${response.status}`);
    if (turn > 0) times.push(performance.now() - began);
  }
  return times;
}

const EXPLAINED = '2028-06-01';

/** The explanation of a point: a day with a thousand deployments. */
const explained: Bench = {
  name: 'dora-explain',
  async run(site, effort) {
    const large = await busySite(site);
    await large.db.query(
      `insert into deployments (project_id, iid, environment_id, ref, tag, sha, status, created_at, updated_at, finished_at)
       select e.project_id, 1000000 + n, e.id, 'main', false, repeat('6', 40), 'success', at, at, at
         from environments e, generate_series(1, 1000) n
        cross join lateral (select timestamptz '${EXPLAINED}T00:00:00Z' + n * interval '80 seconds' as at) i
        where e.project_id = $1 and e.name = 'production'`,
      [BUSY_PROJECT],
    );
    return onApi(large, async (api) => {
      const url = `/projects/${BUSY_PROJECT}/dora/explain?metric=deployment_frequency&date=${EXPLAINED}`;
      return [within('explain of 1,000 deployments', 150, await getTimes(`${api.url}/api/v4${url}`, effort))];
    });
  },
};

const LINKED_COMMITS = 10_000;
const LINK_MS = 3000;
const VISIBLE_MS = 1000;
const TIMEOUT_MS = 30_000;

function* history(): Iterable<string> {
  for (let index = 0; index <= LINKED_COMMITS; index += 1) {
    yield commitLines('large', `Change ${index}`);
    yield fileLines(`files/${index % 300}.txt`, `${index}\n`);
  }
}

/** Milliseconds until a question is answered by yes. @throws after half a minute */
async function until(isSo: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (!(await isSo())) {
    if (performance.now() - began > TIMEOUT_MS) throw new Error('It did not happen.');
    await sleep(10);
  }
  return performance.now() - began;
}

/**
 * How soon a deployment counts, and is linked with the merge requests of its 10,000 new commits, with a worker next to
 * the API.
 */
const links: Bench = {
  name: 'deployment-links',
  async run(site) {
    const [api, worker] = [await site.api(), await site.worker()];
    const key = site.env.INITIAL_ROOT_TOKEN!;
    const ask = async <T>(method: string, rest: string, body?: object): Promise<T> => {
      const response = await fetch(`${api.url}/api/v4${rest}`, {
        method,
        headers: { 'PRIVATE-TOKEN': key, ...(body ? { 'Content-Type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      if (!response.ok) throw new Error(`${method} ${rest}: ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    };
    try {
      await ask('PUT', '/application/settings', { dora_refresh_delay_seconds: 0 });
      const attributes = { name: 'Deployed', initialize_with_readme: true };
      const project = await ask<{ id: number; path_with_namespace: string }>('POST', '/projects', attributes);
      const { id, path_with_namespace: full_path } = project;
      const repository = repositoryPath(path.join(site.config.dataDir, 'repositories'), id);
      const head = await fastImport({ id, full_path, repository }, history(), 'large');
      const at = `/projects/${id}`;
      const { rows } = await site.db.query<{ id: number }>(
        `insert into merge_requests (project_id, iid, source_project_id, source_branch, target_branch, title, state,
                                     merge_commit_sha, merged_at, created_at, updated_at)
         values ($1, 1, $1, 'story', 'main', 'Story', 'merged', $2, now(), now(), now()) returning id`,
        [id, head],
      );
      const frequency = async () => {
        const [point] = await ask<{ value: number | null }[]>(
          'GET',
          `${at}/dora/metrics?metric=deployment_frequency&interval=all`,
        );
        return point?.value ?? 0;
      };
      const deploy = (sha: string) =>
        ask('POST', `${at}/deployments`, {
          environment: 'production',
          ref: 'main',
          sha,
          tag: false,
          status: 'success',
        });
      const { commit } = await ask<{ commit: { id: string } }>('GET', `${at}/repository/branches/main`);
      const counted = deploy(commit.id);
      const visibleMs = await until(async () => (await frequency()) === 1);
      await counted;
      const isLinked = async () => {
        const found = await site.db.query('select 1 from deployment_merge_requests where merge_request_id = $1', [
          rows[0]?.id,
        ]);
        return found.rows.length === 1;
      };
      if (await isLinked()) throw new Error('It was linked before it was deployed.');
      const linked = deploy(head);
      const linkedMs = await until(isLinked);
      await linked;
      return [
        within('deployment until it counts', VISIBLE_MS, [visibleMs]),
        within(`links of ${LINKED_COMMITS} commits`, LINK_MS, [linkedMs]),
      ];
    } finally {
      await worker.stop();
      await api.stop();
    }
  },
};

const PEAK_SECONDS = 60;
const PEAK_CONNECTIONS = 32;
const PEAK_ENVIRONMENTS = 8;
/** Roll-ups that block requests: sessions that wait for writers of daily rows. */
const WAITED_FOR = `
  select count(*)::int as count from pg_stat_activity a, unnest(pg_blocking_pids(a.pid)) b (pid)
    join pg_stat_activity w on w.pid = b.pid
   where w.query like '%insert into "dora_daily_metrics"%' and a.query not like '%insert into "dora_daily_metrics"%'`;
const WAITING = `
  select count(*)::int as count, (select count(*)::int from environments) as environments from dora_refreshes`;

/** Deployments as fast as they are answered: what waits to be computed, and what waits for that. */
const atPeak: Bench = {
  name: 'deployments-at-peak',
  async run(site) {
    const [api, worker] = [await site.api(), await site.worker()];
    const headers = { 'PRIVATE-TOKEN': site.env.INITIAL_ROOT_TOKEN!, 'Content-Type': 'application/json' };
    const send = (method: string, rest: string, body: object) =>
      fetch(`${api.url}/api/v4${rest}`, { method, headers, body: JSON.stringify(body) });
    try {
      await send('PUT', '/application/settings', { dora_refresh_delay_seconds: 0 });
      const created = await send('POST', '/projects', { name: 'Peak', initialize_with_readme: true });
      const { id } = (await created.json()) as { id: number };
      const read = await fetch(`${api.url}/api/v4/projects/${id}/repository/branches/main`, { headers });
      const { commit } = (await read.json()) as { commit: { id: string } };
      const attributes = { ref: 'main', sha: commit.id, tag: false, status: 'success' };
      const times: number[] = [];
      const until = performance.now() + PEAK_SECONDS * 1000;
      let [rejections, waiting, waitedFor, environments] = [0, 0, 0, 0];
      const deploy = async (connection: number) => {
        for (let turn = connection; performance.now() < until; turn += 1) {
          const began = performance.now();
          const environment = `production/${turn % PEAK_ENVIRONMENTS}`;
          const response = await send('POST', `/projects/${id}/deployments`, { ...attributes, environment });
          await response.arrayBuffer();
          times.push(performance.now() - began);
          if (response.status !== 201) rejections += 1;
        }
      };
      const poll = async () => {
        for (; performance.now() < until; await sleep(100)) {
          const { rows: refreshes } = await site.db.query<{ count: number; environments: number }>(WAITING);
          const { rows: blocked } = await site.db.query<{ count: number }>(WAITED_FOR);
          waiting = Math.max(waiting, refreshes[0]?.count ?? 0);
          environments = refreshes[0]?.environments ?? 0;
          waitedFor = Math.max(waitedFor, blocked[0]?.count ?? 0);
        }
      };
      await Promise.all([poll(), ...Array.from({ length: PEAK_CONNECTIONS }, (_none, at) => deploy(at))]);
      const ms = [0.5, 0.99].map((share) => quantile(times, share).toFixed(1));
      report(`${times.length} deployments in ${PEAK_SECONDS} s: p50 ${ms[0]} ms, p99 ${ms[1]} ms`);
      // The run may go over midnight.
      const most = 2 * environments;
      return [
        { name: 'deployments', target: 'all 201', measured: `${rejections} others`, holds: rejections === 0 },
        { name: 'waiting refreshes', target: `<= ${most}`, measured: `${waiting}`, holds: waiting <= most },
        { name: 'waits for a roll-up', target: 'none', measured: `${waitedFor}`, holds: waitedFor === 0 },
      ];
    } finally {
      await worker.stop();
      await api.stop();
    }
  },
};

/** Environments, deployments and DORA metrics of 1,000 projects with 2,000,000 deployments. */
export const deliveryBenches: Bench[] = [rebuildAll, ...comparisons, ofGroup, explained, links, atPeak];
