import test from 'ava';
import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import { Context } from '../../../shared/core/context/context.js';
import { removeReleased } from '../../../shared/core/stored-files/sweep-objects.js';
import { sql } from 'kysely';
import { finishExport, startExport, sweepExportsNow } from '../../../shared/archives/exports/export-state.js';
import { runExport } from '../../../shared/archives/exports/run-export.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { exportSteps, NOT_READY } from './export-steps.js';

const app = useApp(test);
const { download, exported, owned } = exportSteps(app);

const getRows = (groupId: number) =>
  app.services.db.query<{ id: number; state: string; attempts: number; job_id: string; key: string | null }>(sql`
    select e.id as "id", e.state as "state", e.attempts as "attempts", e.job_id::text as "job_id", o.key as "key"
      from archive_exports e left join stored_objects o on o.id = e.object_id
     where e.namespace_id = ${groupId} order by e.id`);

const requestedExport = async () => {
  const { owner, group } = await owned();
  await app.as(owner).post(`/groups/${group.id}/export`);
  const [row] = await getRows(group.id);
  if (!row) throw new Error('There is no export.');
  return { owner, group, id: row.id };
};

const finished = async (owner: BuiltUser, groupId: number) =>
  (await app.as(owner).get(`/groups/${groupId}/export`)).body.status;

// Contract: archives-6.download, decisions-9
test.serial('only a served archive counts against the limit of one a minute, by user and group', async (t) => {
  const { owner, group } = await owned();
  for (let time = 0; time < 3; time += 1) t.is((await download(owner, group.id)).status, 404);
  await exported(owner, group.id);
  const rejection = await download(owner, group.id);
  t.is(rejection.status, 429);
  t.truthy(rejection.headers.get('retry-after'));
  t.is((await app.as(owner).head(`/groups/${group.id}/export/download`)).status, 200);
  app.clock.advance('1 minute');
  t.is((await download(owner, group.id)).status, 200);
});

// Contract: archives-6.export
test.serial('the seventh export that a user asks for in a minute is refused', async (t) => {
  const { owner, group } = await owned();
  for (let time = 0; time < 6; time += 1) t.is((await app.as(owner).post(`/groups/${group.id}/export`)).status, 202);
  const rejection = await app.as(owner).post(`/groups/${group.id}/export`);
  t.is(rejection.status, 429);
  t.deepEqual(rejection.body, {
    message: { error: 'This endpoint has been requested too many times. Try again later.' },
  });
  // The request refers to the export that is already pending.
  t.is((await getRows(group.id)).length, 1);
  app.clock.advance('1 minute');
});

// Contract: archives-2.6
test.serial('an archive is there for 24 hours, and its bytes go', async (t) => {
  const { owner, group } = await owned();
  await exported(owner, group.id);
  const [row] = await getRows(group.id);
  app.clock.advance('24 hours');
  t.like(await app.as(owner).get(`/groups/${group.id}/export/download`), { status: 404, body: NOT_READY });
  await sweepExportsNow(app.context());
  await removeReleased(app.context());
  t.deepEqual(await getRows(group.id), []);
  await t.throwsAsync(app.services.objects.get(row?.key ?? ''), { message: /missing/ });
});

test.serial('an export whose job is lost ends as failed', async (t) => {
  const { owner, group, id } = await requestedExport();
  await app.services.db.query(sql`
    delete from pgboss.job where id = (select job_id from archive_exports where id = ${id})`);
  await sweepExportsNow(app.context());
  t.like((await app.as(owner).get(`/groups/${group.id}/export`)).body, {
    status: 'failed',
    error: 'The job of the export was lost.',
  });
});

test.serial('a try that was killed leaves nothing, and the next one writes the archive', async (t) => {
  const { owner, group, id } = await requestedExport();
  t.truthy(await startExport(app.context(), id));
  t.is(await finished(owner, group.id), 'started');
  t.is((await download(owner, group.id)).status, 404);
  await runExport(app.context(), id);
  t.is(await finished(owner, group.id), 'finished');
  t.is((await download(owner, group.id)).status, 200);
  const before = await getRows(group.id);
  await runExport(app.context(), id);
  t.deepEqual(await getRows(group.id), before);
  await app.work();
});

test.serial('a try that another one overtook gives the export no archive', async (t) => {
  const { group, id } = await requestedExport();
  const slow = await startExport(app.context(), id);
  await runExport(app.context(), id);
  const before = await getRows(group.id);
  const late = { keep: () => Promise.resolve(0) } as never;
  await t.throwsAsync(finishExport(app.context(), slow ?? { id, attempts: 0 }, late, 'late.tar.gz'));
  t.deepEqual(await getRows(group.id), before);
  await app.work();
});

test.serial('an archive that the store has lost is not available, and neither counts nor breaks', async (t) => {
  const { owner, group } = await owned();
  await app.as(owner).post(`/groups/${group.id}/export`);
  await app.work();
  const [row] = await getRows(group.id);
  await app.services.objects.remove([row?.key ?? '']);
  const lost = await app.as(owner).get(`/groups/${group.id}/export/download`);
  t.like(lost, { status: 404, body: { message: '404 The group export file is not available yet' } });
});

test.serial('a try whose worker stops in the middle leaves nothing in the store', async (t) => {
  const { owner, group, id } = await requestedExport();
  await app.services.db.query(sql`insert into milestones (namespace_id, iid, title, created_at, updated_at)
    select ${group.id}, n, 'M' || n, now(), now() from generate_series(1, 5000::integer) n`);
  const stopping = new AbortController();
  const ctx = new Context(app.services, ANONYMOUS, { requestId: 'stopped', ip: null, signal: stopping.signal });
  const { objects } = app.services;
  const put = objects.put.bind(objects);
  // The worker is stopped once bytes are transferred.
  objects.put = (key, content, signal) =>
    put(
      key,
      (async function* () {
        for await (const piece of content) {
          stopping.abort(new Error('stopping'));
          yield piece;
        }
      })(),
      signal,
    );
  t.teardown(() => Object.assign(objects, { put }));
  await t.throwsAsync(runExport(ctx, id));
  objects.put = put;
  t.is(await finished(owner, group.id), 'started');
  t.is((await download(owner, group.id)).status, 404);
  const stored: string[] = [];
  for await (const page of objects.list()) stored.push(...page.map(({ key }) => key));
  const rows = await app.services.db.query<{ key: string }>(sql`select key from stored_objects`);
  t.deepEqual(
    stored.toSorted(),
    rows
      .map(({ key }) => key)
      .filter((key) => stored.includes(key))
      .toSorted(),
  );
  await app.work();
  t.is(await finished(owner, group.id), 'finished');
});
