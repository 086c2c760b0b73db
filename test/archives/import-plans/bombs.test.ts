import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { eventually, startService } from '../../core/processes.js';
import type { StartedService } from '../../core/processes.js';
import { importForm } from '../container-imports/sample-archive.js';
import { sampleProject } from '../container-imports/project-sample.js';
import { bombReasons, lineBombs } from './line-bombs.js';

// A long test: it starts a service, and kills its worker.
// A process of its own: it starts a service, and kills its worker.

type Kind = keyof typeof lineBombs;

const send = (service: StartedService, kind: Kind, archive: Buffer, path: string, dry_run: boolean) =>
  service.root.raw('POST', `/api/v4/${kind}/import`, importForm(archive, { name: path, path, dry_run }));

/** Ids of the processes that a worker runs jobs in. */
function jobProcesses(workerPid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1];
        const isOne = readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('workers/job-process.js');
        return Number(parent) === workerPid && isOne ? [Number(name)] : [];
      } catch {
        // It ended meanwhile.
        return [];
      }
    });
}

/** A schedule that comes due at once. */
async function dueSchedule(service: StartedService): Promise<number> {
  const { body: project } = await service.root.post('/projects', { name: 'Punctual', initialize_with_readme: true });
  const { body } = await service.root.post(`/projects/${project.id}/pipeline_schedules`, {
    description: 'Due',
    ref: 'main',
    cron: '0 0 1 1 *',
  });
  return body.id;
}

// Contract: group-imports-5.values
test.serial(
  'a worker fires schedules while it is sent bombs, which are rejected wherever they are planned or imported',
  async (t) => {
    // Processes start, on machines that do other things as well.
    t.timeout(240_000);
    const service = await startService(t, { workers: 1 });
    const [worker] = service.children.slice(-1);
    const schedule = await dueSchedule(service);
    await service.root.raw('PUT', '/api/v4/application/settings?project_import_limit=0&group_import_limit=0');
    const kinds: Kind[] = ['projects', 'groups', 'projects'];
    const imports = await Promise.all(
      kinds.map((kind, at) => send(service, kind, lineBombs[kind], `bomb-${at}`, false)),
    );
    t.deepEqual(
      imports.map(({ status }) => status),
      [201, 202, 201],
    );
    const plans = Promise.all(kinds.map((kind, at) => send(service, kind, lineBombs[kind], `plan-${at}`, true)));
    await service.database.query('update pipeline_schedules set next_run_at = now() where id = $1', [schedule]);
    await eventually(async () => {
      const { rows } = await service.database.query(
        `select 1 from pipeline_schedule_runs where pipeline_schedule_id = $1 and trigger = 'cron'`,
        [schedule],
      );
      return rows.length > 0;
    });
    for (const [at, { status, body }] of (await plans).entries()) {
      t.is(status, 422);
      t.is(body.message.error, bombReasons[kinds[at]!]);
    }
    const failed = await eventually(async () => {
      const { rows } = await service.database.query<{ last_error: string }>(
        `select last_error from archive_imports where status = 'failed' order by id`,
      );
      return rows.length === kinds.length && rows;
    });
    t.deepEqual(
      failed.map(({ last_error: reason }) => reason).toSorted(),
      kinds.map((kind) => bombReasons[kind]).toSorted(),
    );
    await eventually(() => Promise.resolve(jobProcesses(worker!.pid!).length === 0));
  },
);

test.serial('a killed worker leaves no process behind that goes on with its job', async (t) => {
  // Processes start, on machines that do other things as well.
  t.timeout(240_000);
  const service = await startService(t, { workers: 1 });
  const [worker] = service.children.slice(-1);
  const holding = await service.database.connect();
  try {
    await holding.query('begin');
    // The job waits for it.
    await holding.query('lock table archive_import_rows in access exclusive mode');
    const archive = sampleProject({ relations: { labels: [{ id: 1, title: 'bug', color: '#112233' }] } });
    t.is((await send(service, 'projects', archive, 'held', false)).status, 201);
    const [pid] = await eventually(async () => {
      const { rows } = await service.database.query(
        `select 1 from pg_stat_activity where application_name = 'capstan-job' and wait_event_type = 'Lock'`,
      );
      return rows.length > 0 && jobProcesses(worker!.pid!);
    });
    worker!.kill('SIGKILL');
    const isThere = () => {
      try {
        process.kill(pid!, 0);
        return true;
      } catch {
        return false;
      }
    };
    await eventually(() => Promise.resolve(!isThere()));
  } finally {
    await holding.query('rollback');
    holding.release();
  }
  await service.startWorker();
  const { status } = await eventually(async () => {
    const { rows } = await service.database.query<{ status: string }>(
      `select status from archive_imports where status in ('finished', 'failed')`,
    );
    return rows[0];
  });
  t.is(status, 'finished');
});
