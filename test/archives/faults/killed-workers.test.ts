import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import { loadConfig } from '../../../shared/core/values/config.js';
import { Context } from '../../../shared/core/context/context.js';
import { databaseWork } from '../../../shared/core/database/database-work.js';
import { removeReleased, sweepObjects } from '../../../shared/core/stored-files/sweep-objects.js';
import { domains } from '../../../shared/domains.js';
import { openServices } from '../../../shared/instance/process/services.js';
import { sweepImportFolders } from '../../../shared/archives/archive-imports/import-folder.js';
import { sweepAll } from '../../../shared/repositories/housekeeping/sweep-leftovers.js';
import { anyActive, killWorker } from '../../core/killed-workers.js';
import { eventually, ROOT_TOKEN, startService } from '../../core/processes.js';
import type { StartedService } from '../../core/processes.js';
import { temporaryFolder } from '../../git/git-fixture.js';
import { readArchive } from '../exports/read-archive.js';
import { importForm } from '../container-imports/sample-archive.js';
import { largeGroups, largeProject } from './large-samples.js';

// A long test: processes are killed and waited for.
// A process of its own: processes are killed and waited for.

/** `npm run test:faults` takes its time; `npm test` has a short version of the same. */
const LONG = process.env.CAPSTAN_FAULTS === 'long';
/** Kills that each of the four jobs takes while it is under way. */
const KILLS_OF_EACH = LONG ? 100 : 1;
/** Of each round: fewer than the tries that a job has. */
const KILLS = 3;

const QUEUES = ['archive_exports.run', 'group_imports.import', 'project_archives.import'];
const JOBS = ['export of a group', 'export of a project', 'import of a group', 'import of a project'] as const;
type Job = (typeof JOBS)[number];

/** The jobs of a state, and how long each took, of those that are done, the latest first. */
async function jobsIn(service: StartedService, state: 'active' | 'completed'): Promise<{ job: Job; ms: number }[]> {
  const { rows } = await service.database.query<{ job: Job; ms: number }>(
    `select case when e.id is null then 'import of a ' else 'export of a ' end ||
            case when j.name = 'group_imports.import' or e.namespace_id is not null then 'group' else 'project' end as job,
            coalesce(extract(epoch from j.completed_on - j.started_on) * 1000, 0)::float8 as ms
       from pgboss.job j
       left join archive_exports e on j.name = 'archive_exports.run' and e.id = (j.data ->> 'export_id')::bigint
      where j.name = any($1) and j.state = $2 order by j.completed_on desc`,
    [QUEUES, state],
  );
  return rows;
}

/** The result of an export or import. */
interface Outcome {
  status: string;
  reason: string | null;
}

/** The ids of the four jobs of one round, and of what they are about. */
interface Round {
  group: string;
  project: number;
}

async function imported(service: StartedService, kind: 'groups' | 'projects', archive: Buffer, name: string) {
  const form = importForm(archive, { path: name, name });
  const { status, body } = await service.root.raw('POST', `/api/v4/${kind}/import`, form);
  if (status > 202) throw new Error(`Refused with ${status}: ${JSON.stringify(body)}`);
  return body as { id: number };
}

/** The states of the newest exports of the two sources. */
async function getExports(service: StartedService): Promise<Outcome[]> {
  const { rows } = await service.database.query<Outcome>(
    `select distinct on (project_id, namespace_id) state as status, error as reason from archive_exports
      order by project_id, namespace_id, id desc`,
  );
  return rows;
}

async function getImports(service: StartedService, { group, project }: Round): Promise<Outcome[]> {
  const { rows } = await service.database.query<Outcome>(
    `select i.status, i.last_error as reason from archive_imports i join namespaces n on n.id = i.namespace_id
      where i.project_id = $1 or (i.project_id is null and n.path = $2)`,
    [project, group],
  );
  return rows;
}

const isOver = ({ status }: Outcome) => status === 'finished' || status === 'failed';

/** Everything that an import made, counted. */
async function contents(service: StartedService, { group, project }: Round): Promise<Record<string, number>> {
  const { rows } = await service.database.query<Record<string, number>>(
    `with g as (select n.id from namespaces n
                 where n.traversal_ids[1] = (select id from namespaces where path = $1 and parent_id is null))
     select (select count(*)::int from g) as groups,
            (select count(*)::int from labels where namespace_id in (select id from g)) as group_labels,
            (select count(*)::int from milestones where namespace_id in (select id from g)) as milestones,
            (select count(*)::int from epics where namespace_id in (select id from g)) as epics,
            (select count(*)::int from notes where namespace_id in (select id from g)) as group_notes,
            (select count(*)::int from boards where namespace_id in (select id from g)) as group_boards,
            (select count(*)::int from group_members where namespace_id in (select id from g)) as members,
            (select count(*)::int from content_repositories
              where namespace_id in (select id from g) and head_sha is not null) as group_wikis,
            (select count(*)::int from labels where project_id = $2) as labels,
            (select count(*)::int from issues where project_id = $2) as issues,
            (select count(*)::int from notes where project_id = $2) as notes,
            (select count(*)::int from boards where project_id = $2) as boards,
            (select count(*)::int from repository_refs where project_id = $2) as refs,
            (select count(*)::int from snippets where project_id = $2 and cardinality(file_paths) = 5) as snippets,
            (select count(*)::int from content_repositories where project_id = $2 and head_sha is not null) as wikis`,
    [group, project],
  );
  return rows[0] as Record<string, number>;
}

async function getArchive(service: StartedService, kind: 'groups' | 'projects', id: number): Promise<Buffer> {
  const answer = await fetch(`${service.url}/api/v4/${kind}/${id}/export/download`, {
    headers: { 'PRIVATE-TOKEN': ROOT_TOKEN },
  });
  if (answer.status !== 200) throw new Error(`The archive of ${kind} ${id} answers ${answer.status}.`);
  return Buffer.from(await answer.arrayBuffer());
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    : [];

/** Runs the deletions of a day's sweeps; afterwards no data without a row may remain. */
async function nothingLeft(t: ExecutionContext, service: StartedService, temporary: string) {
  const dataDir = service.env.DATA_DIR as string;
  const old = new Date(Date.now() - 48 * 3600 * 1000);
  for (const entry of readdirSync(dataDir, { recursive: true })) {
    const file = path.join(dataDir, entry as string);
    if (existsSync(file)) utimesSync(file, old, old);
  }
  const config = { ...loadConfig(service.env), logLevel: 'silent' as const };
  const services = await openServices(domains, config, 'test', {
    poolSize: 2,
    work: databaseWork.worker,
    syncSettings: false,
  });
  try {
    const ctx = new Context(services, ANONYMOUS);
    await sweepImportFolders(ctx);
    await removeReleased(ctx);
    await sweepObjects(ctx);
    await sweepAll(ctx);
  } finally {
    await services.close();
  }
  const { rows } = await service.database.query<{ rows: number; users: number; keys: string[] }>(
    `select (select count(*)::int from archive_import_rows) as rows,
            (select count(*)::int from archive_import_users) as users,
            (select coalesce(array_agg(key order by key), '{}') from stored_objects) as keys`,
  );
  t.like(rows[0], { rows: 0, users: 0 }, 'nothing is staged');
  t.deepEqual(
    filesBelow(path.join(dataDir, 'objects')).sort(),
    [...rows[0]!.keys].sort(),
    'the store has what rows name',
  );
  t.deepEqual(filesBelow(path.join(dataDir, 'repositories', '@imports')), []);
  const repositories = readdirSync(path.join(dataDir, 'repositories'), { recursive: true }) as string[];
  t.deepEqual(
    repositories.filter((name) => /\.draft-|\.new-|\.removed-/.test(name)),
    [],
  );
  t.deepEqual(
    readdirSync(temporary).filter((name) => /archive|bundle|import/.test(name)),
    [],
    'nothing is left in the folder for temporary files',
  );
}

// Contract: archives-kills
test.serial(
  'workers are killed at random in exports and imports: all or a reason, and nothing half there',
  async (t) => {
    t.timeout(LONG ? 2 * 3_600_000 : 360_000);
    const temporary = await temporaryFolder(t);
    mkdirSync(temporary, { recursive: true });
    const service = await startService(t, { env: { TMPDIR: temporary } });
    service.database.on('error', () => undefined);
    const limits = ['group_import', 'project_import', 'group_export', 'project_export'].map((name) => [
      `${name}_limit`,
      0,
    ]);
    const downloads = ['group_download_export_limit', 'project_download_export_limit'].map((name) => [name, 0]);
    await service.root.put('/application/settings', Object.fromEntries([...limits, ...downloads]));
    const [groups, project] = [await largeGroups(LONG ? 8 : 2), await largeProject(LONG ? 4 : 1)];

    const begun = performance.now();
    await imported(service, 'groups', groups, 'source');
    const source: Round = { group: 'source', project: (await imported(service, 'projects', project, 'source')).id };
    await eventually(async () => (await getImports(service, source)).filter(isOver).length === 2);
    const span = performance.now() - begun;
    t.deepEqual(
      (await getImports(service, source)).map(({ status, reason }) => [status, reason]),
      [
        ['finished', null],
        ['finished', null],
      ],
    );
    const whole = await contents(service, source);
    const groupId = (await service.root.get('/groups/source')).body.id as number;
    const exportBoth = async () => {
      for (const url of [`/groups/${groupId}/export`, `/projects/${source.project}/export`])
        t.is((await service.root.post(url)).status, 202);
    };
    await exportBoth();
    await eventually(async () => (await getExports(service)).filter(isOver).length === 2);
    const archives = async () => [
      await getArchive(service, 'groups', groupId),
      await getArchive(service, 'projects', source.project),
    ];
    const first = (await archives()).map(digest);

    const spans = new Map((await jobsIn(service, 'completed')).map(({ job, ms }) => [job, ms]));
    const kills = new Map<Job, number>(JOBS.map((job) => [job, 0]));
    const least = () => JOBS.reduce((one, other) => (kills.get(other)! < kills.get(one)! ? other : one));
    let failed = 0;
    let rounds = 0;
    for (; kills.get(least())! < KILLS_OF_EACH; rounds += 1) {
      await exportBoth();
      const name = `round-${rounds}`;
      await imported(service, 'groups', groups, name);
      const round: Round = { group: name, project: (await imported(service, 'projects', project, name)).id };
      for (let kill = 0; kill < KILLS && (await anyActive(service, QUEUES)); kill += 1) {
        const scenario = least();
        const active = await jobsIn(service, 'active');
        // At a random time of the job that was killed least often, or of another one if that has finished.
        const aim = active.some(({ job }) => job === scenario) ? scenario : active[0]?.job;
        await pause(Math.random() * (spans.get(aim ?? scenario) ?? span));
        for (const { job } of await jobsIn(service, 'active')) kills.set(job, kills.get(job)! + 1);
        await killWorker(service, QUEUES);
      }
      const outcomes = () => Promise.all([getExports(service), getImports(service, round)]).then((all) => all.flat());
      const over = await eventually(async () => {
        const all = await outcomes();
        return all.length === 4 && all.every(isOver) && all;
      }, 120);
      for (const { status, reason } of over) if (status === 'failed') t.truthy(reason, 'who fails says why');
      const bad = over.filter(({ status }) => status === 'failed').length;
      failed += bad;
      if (bad > 0) continue;
      t.deepEqual(await contents(service, round), whole, `round ${rounds}`);
      const later = await archives();
      t.deepEqual(later.map(digest), first, 'archives of what did not change are the same, however often begun');
      if (rounds === 0) for (const archive of later) t.is((await readArchive(archive))[0]?.text, '0.2.4');
    }
    t.is(failed, 0, 'each job has more tries than there are kills');
    await nothingLeft(t, service, temporary);
    const killCounts = [...kills].map(([job, count]) => `${count} of the ${job}`).join(', ');
    t.log(
      `kills while it was under way: ${killCounts}; ${rounds} rounds, imports take ${Math.round(span)} ms, ${failed} failed`,
    );
  },
);
