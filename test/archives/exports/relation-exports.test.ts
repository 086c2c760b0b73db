import { gunzipSync } from 'node:zlib';
import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { groupRelations } from '../../../shared/archives/format/group-relations.js';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { exportSteps } from './export-steps.js';

const app = useApp(test);
const { owned } = exportSteps(app);

test.before('let tests ask as often as they like', () => app.set({ group_export_limit: 0 }));

const getObjects = (bytes: Buffer) =>
  gunzipSync(bytes)
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const fetched = async (user: BuiltUser, groupId: number, query: string) => {
  const response = await fetch(`${app.url}/api/v4/groups/${groupId}/export_relations/download?${query}`, {
    headers: { 'PRIVATE-TOKEN': user.token },
  });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
};

// Contract: relation-exports-7.start, relation-exports-7.status, relation-exports-7.download, relation-exports-7.errors
test.serial('each relation of a group is written by itself, and downloaded once it is', async (t) => {
  const { owner, group } = await owned();
  const as = app.as(owner);
  const path = `/groups/${group.id}/export_relations`;
  await as.post(`/groups/${group.id}/labels`, { name: 'bug', color: '#FFAABB' });
  t.deepEqual((await as.get(`${path}/status`)).body, []);
  t.like(await as.get(`${path}/status?relation=labels`), { status: 404, body: { message: 'Export not found' } });
  t.like(await as.post(path), { status: 202, body: { message: '202 Accepted' } });
  t.like((await as.get(`${path}/status?relation=labels`)).body, { relation: 'labels', status: 0 });
  t.like(await as.get(`${path}/download?relation=labels`), { status: 404, body: { message: 'Export file not found' } });
  await app.work();
  const { body: all } = await as.get(`${path}/status`);
  t.deepEqual(
    all.map(({ relation, status }: { relation: string; status: number }) => [relation, status]),
    ['self', ...groupRelations.map(({ name }) => name)].toSorted().map((name) => [name, 1]),
  );
  const labels = getObjects((await fetched(owner, group.id, 'relation=labels')).bytes);
  t.like(labels, [{ title: 'bug', color: '#FFAABB' }]);
  t.like(getObjects((await fetched(owner, group.id, 'relation=self')).bytes), [{ id: group.id }]);
  t.deepEqual(getObjects((await fetched(owner, group.id, 'relation=epics')).bytes), []);
  t.like(await as.get(`${path}/download?relation=labels&batched=true&batch_number=1`), {
    status: 400,
    body: { message: 'Export is not batched' },
  });
  t.like(await as.get(`${path}/download?relation=labels&batched=true`), { status: 400 });
  t.like(await as.get(`${path}/download?relation=none`), { status: 404, body: { message: 'Export not found' } });
  const log = (await as.get(`/groups/${group.id}/audit_events`)).body;
  const events = log.map((event: { event_name: string }) => event.event_name);
  t.true(events.includes('group_relations_export_requested') && events.includes('group_relation_export_downloaded'));
});

// Contract: relation-exports-7.download, relation-exports-7.errors
test.serial('a batched export has a file for each 1,000 objects, and a new request takes its place', async (t) => {
  const { owner, group } = await owned();
  const as = app.as(owner);
  const path = `/groups/${group.id}/export_relations`;
  await app.services.db.query(sql`insert into milestones (namespace_id, iid, title, created_at, updated_at)
    select ${group.id}, n, 'M' || n, now(), now() from generate_series(1, 2003) n`);
  await as.post(path, { batched: true });
  await app.work();
  const { body: relationStatus } = await as.get(`${path}/status?relation=milestones`);
  t.like(relationStatus, { status: 1, batched: true, batches_count: 3, total_objects_count: 2003 });
  t.deepEqual(
    relationStatus.batches.map(({ batch_number: at, objects_count: count }: Record<string, number>) => [at, count]),
    [
      [1, 1000],
      [2, 1000],
      [3, 3],
    ],
  );
  const rows = [];
  for (const batch of [1, 2, 3])
    rows.push(
      ...getObjects((await fetched(owner, group.id, `relation=milestones&batched=true&batch_number=${batch}`)).bytes),
    );
  t.deepEqual(
    rows.map(({ iid }) => iid),
    Array.from({ length: 2003 }, (_, index) => index + 1),
  );
  t.like((await as.get(`${path}/download?relation=milestones&batched=true&batch_number=4`)).body, {
    message: 'Batch not found',
  });
  t.like(await as.get(`${path}/download?relation=milestones`), { status: 400, body: { message: 'Export is batched' } });
  await as.post(path);
  t.like((await as.get(`${path}/status?relation=milestones`)).body, { status: 0, batched: false, batches: [] });
  await app.work();
  t.is(getObjects((await fetched(owner, group.id, 'relation=milestones')).bytes).length, 2003);
});

test.serial('exports of relations are for whoever asked for them, a day long, and go with them', async (t) => {
  const { owner, group } = await owned();
  const other = await app.build.groupMember(group, 'owner');
  const maintainer = await app.build.groupMember(group, 'maintainer');
  const path = `/groups/${group.id}/export_relations`;
  t.is((await app.as(maintainer).post(path)).status, 403);
  t.is((await app.anonymous.get(`${path}/status`)).status, 401);
  await app.as(other).post(path);
  await app.work();
  t.deepEqual((await app.as(owner).get(`${path}/status`)).body, []);
  await app.as(await app.build.admin()).delete(`/users/${other.id}`);
  await app.work();
  const left = await app.services.db.query(sql`select 1 from relation_exports where namespace_id = ${group.id}`);
  t.is(left.length, 0);
  await app.as(owner).post(path);
  await app.work();
  app.clock.advance('1 day');
  t.like(await app.as(owner).get(`${path}/status?relation=labels`), { status: 404 });
});

// Contract: relation-exports-7.setting
test.serial('[unverified] single relations are exported unless the setting says otherwise: then 404', async (t) => {
  const { owner, group } = await owned();
  await app.set({ bulk_import_enabled: false });
  const path = `/groups/${group.id}/export_relations`;
  t.is((await app.as(owner).post(path)).status, 404);
  t.is((await app.as(owner).get(`${path}/status`)).status, 404);
  t.is((await app.as(owner).get(`${path}/download?relation=labels`)).status, 404);
  await app.set({ bulk_import_enabled: true });
});

// Contract: relation-exports-gitbeaker
test.serial('@gitbeaker/rest exports, asks for and downloads relations', async (t) => {
  const { owner, group } = await owned();
  const { GroupRelationExports } = new Gitlab({ host: app.url, token: owner.token });
  t.deepEqual(await GroupRelationExports.scheduleExport(group.id), { message: '202 Accepted' });
  await app.work();
  const status = (await GroupRelationExports.exportStatus(group.id)) as unknown as { status: number }[];
  t.true(status.length > 0 && status.every((one) => one.status === 1));
  const blob = (await GroupRelationExports.download(group.id, 'members', {
    // The client's own parameter for the relation is not a parameter of the API.
    relation: 'members',
  } as never)) as unknown as Blob;
  t.like(getObjects(Buffer.from(await blob.arrayBuffer())), [{ user_id: owner.id }]);
});
