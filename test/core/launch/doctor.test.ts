import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { findClockOffset, findServerSettings } from '../../../shared/instance/doctor/database-findings.js';
import { collectFindings } from '../../../shared/instance/doctor/finding.js';
import { repositoryPath } from '../../../shared/git/index.js';
import { contentPath } from '../../../shared/repositories/repositories/content-ref.js';
import { eventually, startService } from '../processes.js';

interface Report {
  code: number;
  lines: string[];
  text: string;
}

/** The command that the launcher runs. */
function doctor(env: NodeJS.ProcessEnv): Promise<Report> {
  return new Promise((resolve) => {
    execFile(process.execPath, [path.resolve('dist/shared/doctor.js')], { env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, lines: stdout.trim().split('\n'), text: stdout + stderr });
    });
  });
}

const getLine = ({ lines }: Report, resource: string) => lines.find((line) => line.slice(8).startsWith(resource)) ?? '';

// Contract: operations-doctor
test('of an instance that works every line is ok', async (t) => {
  const service = await startService(t);
  const response = await service.root.post('/projects', { name: 'Whole', initialize_with_readme: true });
  t.is(response.status, 201);
  const page = { title: 'Home', content: 'Hello' };
  t.is((await service.root.post(`/projects/${response.body.id}/wikis`, page)).status, 201);
  await eventually(async () => (await service.root.raw('GET', '/-/readiness?all=1')).status === 200);
  const report = await doctor({ ...service.env, EXTERNAL_URL: service.url, WORKERS: '1' });
  const components = [...new Set(report.lines.map((line) => line.slice(8, 26).trim()))];
  t.deepEqual(components, [
    'settings',
    'node',
    'git',
    'disk',
    'database',
    'database settings',
    'clock',
    'migrations',
    'database bloat',
    'queue',
    'repositories',
    'EXTERNAL_URL',
  ]);
  // The tests' server may lose data after a crash: its data is not needed.
  const ofTests = /^FAILED {2}database settings +(fsync|full_page_writes|autovacuum) is off/;
  const failed = report.lines.filter((line) => line.startsWith('FAILED'));
  t.deepEqual(
    failed.filter((line) => !ofTests.test(line)),
    [],
  );
  t.is(report.code, failed.length === 0 ? 0 : 1, report.text);
  t.regex(getLine(report, 'repositories'), /^ok .*1 looked at, none is damaged; of wikis and snippets 1/);
  t.regex(getLine(report, 'EXTERNAL_URL'), /^ok .*the service answers/);
});

// Contract: operations-doctor
test('what is wrong is named with what to do, and the exit code is 1', async (t) => {
  const service = await startService(t, { workers: 0 });
  const { id } = (await service.root.post('/projects', { name: 'Damaged', initialize_with_readme: true })).body;
  const folder = path.join(service.env.DATA_DIR as string, 'repositories');
  await rm(path.join(repositoryPath(folder, id), 'objects'), { recursive: true });
  const snippet = { title: 'Lost', visibility: 'private', content: 'x' };
  const lost = (await service.root.post('/snippets', snippet)).body.id;
  const contents = (await service.root.post('/projects', { name: 'Wiki' })).body.id;
  t.is((await service.root.post(`/projects/${contents}/wikis`, { title: 'Home', content: 'x' })).status, 201);
  const config = { dataDir: service.env.DATA_DIR } as never;
  await rm(contentPath({ config }, { kind: 'snippet', of: lost }), { recursive: true });
  await service.database.query(`update content_repositories set head_sha = repeat('a', 40) where project_id = $1`, [
    contents,
  ]);
  await service.database.query(
    `insert into pgboss.job (name, policy, state, created_on, start_after)
     select name, 'test', 'created', now() - interval '1 hour', now() - interval '1 hour' from pgboss.queue limit 1`,
  );
  const report = await doctor({
    ...service.env,
    EXTERNAL_URL: 'http://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:hunter2@127.0.0.1:1',
  });
  t.is(report.code, 1, report.text);
  t.regex(getLine(report, 'repositories'), new RegExp(`^FAILED .*project ${id} .*\\. Restore it from a backup`));
  t.regex(report.text, new RegExp(`that of snippet ${lost} is damaged.*Restore it from a backup`));
  t.regex(report.text, new RegExp(`that of project wiki ${contents} is another one in the database.*npm run repair`));
  t.regex(
    getLine(report, 'queue'),
    /^FAILED .*no worker was seen ever; \d+ jobs wait, the first for 3\d{3} s\. Start workers/,
  );
  t.regex(getLine(report, 'EXTERNAL_URL'), /^warn .*nothing answers at http:\/\/127\.0\.0\.1:1\. Start the service/);
  t.regex(getLine(report, 'traces'), /^FAILED .*nothing listens at 127\.0\.0\.1:1\. Start the collector/);
  t.notRegex(report.text, /hunter2/);

  await service.database.query(
    'delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations)',
  );
  const pending = await doctor({ ...service.env, EXTERNAL_URL: service.url });
  t.is(pending.code, 1);
  t.regex(getLine(pending, 'migrations'), /^FAILED .*1 are pending\. Start the service once/);
  t.is(getLine(pending, 'queue'), '', 'tables of another version are not read');
});

// Contract: operations-doctor
test('a database that is away and settings that cannot be right are lines too, without a password', async (t) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'capstan-doctor-'));
  t.teardown(() => rm(dataDir, { recursive: true }));
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    SECRET_KEY_BASE: 'a secret for tests, of at least 32 characters',
    DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:1/capstan',
  };
  const away = await doctor(env);
  t.is(away.code, 1, away.text);
  t.regex(getLine(away, 'database'), /^FAILED .*nothing listens at 127\.0\.0\.1:1\. Start it, or correct DATABASE_URL/);
  t.regex(getLine(away, 'node'), /^ok/);
  const wrong = await doctor({ ...env, LOG_LEVEL: 'loud', DRAIN_SECONDS: '900' });
  t.is(wrong.code, 1);
  t.is(wrong.lines.filter((line) => /^FAILED {2}settings/.test(line)).length, 2, wrong.text);
  t.notRegex(away.text + wrong.text, /hunter2/);
});

// Contract: operations-doctor
test('a host that takes connections and says nothing does not hold the doctor', async (t) => {
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.teardown(() => silent.close());
  const { port } = silent.address() as AddressInfo;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'capstan-doctor-'));
  t.teardown(() => rm(dataDir, { recursive: true }));
  const report = await doctor({
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    SECRET_KEY_BASE: 'a secret for tests, of at least 32 characters',
    DATABASE_URL: `postgres://someone@127.0.0.1:${port}/capstan`,
    EXTERNAL_URL: `http://127.0.0.1:${port}`,
  });
  t.is(report.code, 1);
  t.regex(getLine(report, 'database'), /^FAILED .*does not answer/);
});

const answering = (rows: unknown[]) => ({ query: () => Promise.resolve({ rows }) }) as never;

// Contract: operations-doctor
test('clocks that differ, a server that may lose data and too few connections are found', async (t) => {
  const clock = await findClockOffset(answering([{ now: Date.now() + 90_000 }]));
  t.is(clock[0]?.state, 'failed');
  t.regex(clock[0]?.found ?? '', /^(89|90)\.\d s between/);
  t.is((await findClockOffset(answering([{ now: Date.now() }])))[0]?.state, 'ok');
  const settings = await findServerSettings(
    answering([
      { name: 'fsync', setting: 'off' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'autovacuum', setting: 'on' },
      { name: 'server_encoding', setting: 'UTF8' },
      { name: 'max_connections', setting: '20' },
      { name: 'superuser_reserved_connections', setting: '3' },
    ]),
    { workers: 1 } as never,
  );
  t.deepEqual(
    settings.map(({ found, remedy }) => [found, remedy]),
    [
      ['fsync is off', 'Set fsync = on.'],
      ['17 connections are allowed, one API and 1 workers may want 34', 'Raise max_connections.'],
    ],
  );
  const [thrown] = await collectFindings('x', () => Promise.reject(new Error('no way to postgres://a:hunter2@b/c')));
  t.is(thrown?.found, 'no way to [FILTERED]');
});
