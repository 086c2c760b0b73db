import { openAsBlob } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { highestWhile, getMemory } from './child.js';
import type { Child } from './child.js';
import { groupTree, largeProject } from './archive-dataset.js';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import { latencies } from './load.js';
import type { BenchSite } from './bench-site.js';
import { quantile } from './statistics.js';

const GOALS = {
  group: { exportSeconds: 20, importSeconds: 90, dryRunSeconds: 20, memoryMib: 100 },
  project: { exportSeconds: 60, importSeconds: 180, memoryMib: 120 },
};
const TIMES_MEMORY = 1.2;
const TIMES_SECONDS = 12;
const TIMES = 10;
const STATUS_P90_MS = 20;
const OTHERS_RATIO = 2;
const FIRST_BYTE_MS = 50;
const DOWNLOAD_MEMORY_MIB = 40;
const AT_ONCE = 10;
const BEGUN_SECONDS = 5;
const TIMEOUT_MS = 3_600_000;

type Kind = 'groups' | 'projects';

interface Answer {
  status: number;
  body: Record<string, never>;
}

/** An API and a worker on the measured database, called by the administrator. */
class Service {
  constructor(
    readonly site: BenchSite,
    readonly api: Child,
    readonly worker: Child,
    readonly folder: string,
  ) {}

  get headers() {
    return { 'PRIVATE-TOKEN': this.site.env.INITIAL_ROOT_TOKEN! };
  }

  url(at: string): string {
    return `${this.api.url}/api/v4${at}`;
  }

  async ask(method: string, at: string, body?: object | FormData): Promise<Answer> {
    const form = body instanceof FormData;
    const response = await fetch(this.url(at), {
      method,
      headers: body && !form ? { ...this.headers, 'Content-Type': 'application/json' } : this.headers,
      ...(body ? { body: form ? body : JSON.stringify(body) } : {}),
    });
    const answer = { status: response.status, body: (await response.json()) as Record<string, never> };
    if (answer.status >= 300) throw new Error(`${method} ${at}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  /** Polls until the work is finished. @throws if it fails */
  async over(at: string, key: string): Promise<void> {
    for (const began = performance.now(); performance.now() - began < TIMEOUT_MS; await sleep(100)) {
      const { body } = await this.ask('GET', at);
      if (body[key] === 'finished') return;
      if (body[key] === 'failed') throw new Error(`${at}: ${JSON.stringify(body)}`);
    }
    throw new Error(`${at} was not over in time.`);
  }

  /** Fetches an archive into a file. @returns the milliseconds until its first byte */
  async download(kind: Kind, id: number, file: string): Promise<number> {
    const began = performance.now();
    const response = await fetch(this.url(`/${kind}/${id}/export/download`), { headers: this.headers });
    if (response.status !== 200) throw new Error(`The archive was answered ${response.status}.`);
    let first = 0;
    const handle = await open(file, 'w');
    try {
      for await (const piece of response.body!) {
        if (first === 0) first = performance.now() - began;
        await handle.write(piece);
      }
    } finally {
      await handle.close();
    }
    return first;
  }

  async send(kind: Kind, file: string, name: string, more: Record<string, string> = {}): Promise<Answer> {
    const form = new FormData();
    for (const [key, value] of Object.entries({ name, path: name, ...more })) form.append(key, value);
    form.append('file', await openAsBlob(file), 'export.tar.gz');
    return this.ask('POST', `/${kind}/import`, form);
  }
}

async function withService<R>(site: BenchSite, work: (service: Service) => Promise<R>): Promise<R> {
  const api = await site.api();
  const worker = await site.worker();
  const folder = await mkdtemp(path.join(site.directory, 'archives-'));
  try {
    const service = new Service(site, api, worker, folder);
    const limits = [
      'group_export',
      'group_download_export',
      'group_import',
      'project_export',
      'project_download_export',
      'project_import',
    ];
    await service.ask('PUT', '/application/settings', Object.fromEntries(limits.map((name) => [`${name}_limit`, 0])));
    return await work(service);
  } finally {
    await worker.stop();
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function getSeconds(work: Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work;
  return (performance.now() - began) / 1000;
}

const within = (name: string, most: number, measured: number, unit: string, digits = 1): Goal => ({
  name,
  target: `<= ${most} ${unit}`,
  measured: `${measured.toFixed(digits)} ${unit}`,
  holds: measured <= most,
});

/** The durations of an export and an import of an archive. */
interface Measurements {
  exporting: number;
  importing: number;
  dryRun: number;
  /** MiB of the worker above idle. */
  memory: number;
  firstByteMs: number;
  statusMs: number[];
  /** Of another request while the jobs run. */
  othersMs: number[];
}

/** Sends requests at a steady rate until some work is finished. */
async function timesWhile(work: Promise<unknown>, url: string, headers: Record<string, string>): Promise<number[]> {
  const going = { on: true };
  const finish = work.finally(() => (going.on = false));
  // Reported at the end, after the measurement.
  finish.catch(() => undefined);
  const times: number[] = [];
  while (going.on) times.push(...(await latencies(url, headers, 10, 1)));
  await finish;
  return times;
}

async function exportAndImport(service: Service, kind: Kind, id: number, name: string): Promise<Measurements> {
  const { site } = service;
  await sleep(2000);
  const idle = await getMemory(service.worker);
  const probe = service.url(`/projects/${site.data.projectId}`);
  const token = { 'private-token': site.data.token };
  const statusMs: number[] = [];
  const othersMs: number[] = [];
  let highest = 0;
  const watched = async (work: Promise<unknown>, status: string): Promise<number> => {
    const seconds = getSeconds(work);
    const [peak, statuses, others] = await Promise.all([
      highestWhile(seconds, () => getMemory(service.worker)),
      timesWhile(seconds, service.url(status), { 'private-token': site.env.INITIAL_ROOT_TOKEN! }),
      timesWhile(seconds, probe, token),
    ]);
    highest = Math.max(highest, peak);
    statusMs.push(...statuses);
    othersMs.push(...others);
    return seconds;
  };
  const key = { groups: 'status', projects: 'export_status' }[kind];
  await service.ask('POST', `/${kind}/${id}/export`);
  const exporting = await watched(service.over(`/${kind}/${id}/export`, key), `/${kind}/${id}/export`);
  const file = path.join(service.folder, `${name}.tar.gz`);
  const firstByteMs = await service.download(kind, id, file);
  const dryRun =
    kind === 'groups' ? await getSeconds(service.send(kind, file, `${name}-plan`, { dry_run: 'true' })) : 0;
  const { body } = await service.send(kind, file, `${name}-copy`);
  const at = kind === 'groups' ? `/groups/${name}-copy/import` : `/projects/${String(body.id)}/import`;
  const importing = await watched(service.over(at, kind === 'groups' ? 'status' : 'import_status'), at);
  return { exporting, importing, dryRun, memory: highest - idle, firstByteMs, statusMs, othersMs };
}

/** What callers notice while the jobs run. */
async function besides(service: Service, measurements: Measurements, name: string): Promise<Goal[]> {
  const { site } = service;
  const probe = service.url(`/projects/${site.data.projectId}`);
  const quiet = quantile(await latencies(probe, { 'private-token': site.data.token }, 10, 5), 0.9);
  const busy = quantile(measurements.othersMs, 0.9);
  return [
    within(`${name}: p90 of the status while jobs run`, STATUS_P90_MS, quantile(measurements.statusMs, 0.9), 'ms'),
    within(`${name}: first byte of the download`, FIRST_BYTE_MS, measurements.firstByteMs, 'ms'),
    {
      name: `${name}: another request's p90 meanwhile`,
      target: `<= ${OTHERS_RATIO} x its quiet value`,
      measured: `${(busy / quiet).toFixed(2)} (${quiet.toFixed(1)} ms, then ${busy.toFixed(1)} ms)`,
      holds: busy <= OTHERS_RATIO * quiet,
    },
  ];
}

const group: Bench = {
  name: 'archive-group',
  group: 'archives',
  run: (site) =>
    withService(site, async (service) => {
      const measurements = await exportAndImport(service, 'groups', await groupTree(site, 'tree'), 'tree');
      const { exportSeconds, importSeconds, dryRunSeconds, memoryMib } = GOALS.group;
      return [
        within('export of the tree of groups', exportSeconds, measurements.exporting, 's'),
        within('import of the tree of groups', importSeconds, measurements.importing, 's'),
        within('dry run of the tree of groups', dryRunSeconds, measurements.dryRun, 's'),
        within('worker memory above idle, groups', memoryMib, measurements.memory, 'MiB', 0),
        ...(await besides(service, measurements, 'groups')),
      ];
    }),
};

const tenfold: Bench = {
  name: 'archive-group-tenfold',
  group: 'archives',
  async run(site) {
    const small = await withService(site, async (service) =>
      exportAndImport(service, 'groups', await groupTree(site, 'small'), 'small'),
    );
    const large = await withService(site, async (service) =>
      exportAndImport(service, 'groups', await groupTree(site, 'large', TIMES), 'large'),
    );
    const ratio = (name: string, most: number, of: (measurements: Measurements) => number): Goal => ({
      name,
      target: `<= ${most} x`,
      measured: `${(of(large) / of(small)).toFixed(2)} x (${of(small).toFixed(1)}, then ${of(large).toFixed(1)})`,
      holds: of(large) <= most * of(small),
    });
    return [
      ratio('export of ten times the groups', TIMES_SECONDS, ({ exporting }) => exporting),
      ratio('import of ten times the groups', TIMES_SECONDS, ({ importing }) => importing),
      ratio('worker memory at ten times the groups', TIMES_MEMORY, ({ memory }) => memory),
    ];
  },
};

const project: Bench = {
  name: 'archive-project',
  group: 'archives',
  run: (site) =>
    withService(site, async (service) => {
      const id = await largeProject(site, service.api, 'large-project');
      const measurements = await exportAndImport(service, 'projects', id, 'large-project');
      const { exportSeconds, importSeconds, memoryMib } = GOALS.project;
      return [
        within('export of the project', exportSeconds, measurements.exporting, 's'),
        within('import of the project', importSeconds, measurements.importing, 's'),
        within('worker memory above idle, project', memoryMib, measurements.memory, 'MiB', 0),
        ...(await besides(service, measurements, 'project')),
      ];
    }),
};

/** An archive as large as the repository, fetched while the API's memory is watched. */
const download: Bench = {
  name: 'archive-download',
  group: 'archives',
  run: (site) =>
    withService(site, async (service) => {
      const id = await largeProject(site, service.api, 'downloaded');
      await service.ask('POST', `/projects/${id}/export`);
      await service.over(`/projects/${id}/export`, 'export_status');
      const file = path.join(service.folder, 'downloaded.tar.gz');
      await service.download('projects', id, file);
      const idle = await getMemory(service.api);
      // Five of 200 MB: memory depends on the number of downloads, not on their sizes.
      const all = (async () => {
        for (let time = 0; time < 5; time += 1) await service.download('projects', id, file);
      })();
      const highest = await highestWhile(all, () => getMemory(service.api));
      return [within('API memory above idle, 1 GB of downloads', DOWNLOAD_MEMORY_MIB, highest - idle, 'MiB', 0)];
    }),
};

/** Ten exports and ten imports at once on one worker. */
const archivesAtOnce: Bench = {
  name: 'archive-at-once',
  group: 'archives',
  run: (site) =>
    withService(site, async (service) => {
      const tops: number[] = [];
      for (let number = 0; number < AT_ONCE; number += 1) tops.push(await groupTree(site, `once-${number}`, 0.1));
      await service.ask('POST', `/groups/${tops[0]}/export`);
      await service.over(`/groups/${tops[0]}/export`, 'status');
      const file = path.join(service.folder, 'once.tar.gz');
      await service.download('groups', tops[0]!, file);
      const names = tops.map((_top, number) => `copy-${number}`);
      await Promise.all([
        ...tops.map((top) => service.ask('POST', `/groups/${top}/export`)),
        ...names.map((name) => service.send('groups', file, name)),
      ]);
      const paths = [...tops.map((top) => `/groups/${top}/export`), ...names.map((name) => `/groups/${name}/import`)];
      await Promise.all(paths.map((at) => service.over(at, 'status')));
      const { rows } = await site.db.query<{ seconds: number }>(
        `select max(extract(epoch from started_at - created_at))::float as seconds from (
           select started_at, created_at from archive_exports where namespace_id = any($1::bigint[])
           union all
           select started_at, created_at from archive_imports order by created_at desc limit ${AT_ONCE * 2}) x`,
        [tops],
      );
      report(`${AT_ONCE} exports and ${AT_ONCE} imports of a tenth of the tree`);
      return [within('the last of twenty jobs begins after', BEGUN_SECONDS, rows[0]?.seconds ?? Infinity, 's')];
    }),
};

/** Exports and imports of archives (group-export-import.md), by one worker. */
export const archiveBenches: Bench[] = [group, project, download, archivesAtOnce, tenfold];
