import { createHash } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import { groupAttributes, groupRelations } from '../../../shared/archives/format/group-relations.js';
import { useApp } from '../../core/app.js';
import { exportSteps, NOT_READY } from './export-steps.js';
import { archiveObjects, readArchive } from './read-archive.js';

const app = useApp(test);

test.before('let tests ask as often as they like', () =>
  app.set({ group_export_limit: 0, group_download_export_limit: 0 }),
);

const { download, exported, owned } = exportSteps(app);

// Contract: interface-4.8.export, interface-4.8.download, interface-7.export_accepted, interface-7.export_not_available, archives-2.1, archives-2.4, archives-2.5
test.serial('a group is exported by a job, and its archive is there once that is done', async (t) => {
  const { owner, group } = await owned();
  const asOwner = app.as(owner);
  t.like(await asOwner.get(`/groups/${group.id}/export/download`), { status: 404, body: NOT_READY });
  t.like(await asOwner.post(`/groups/${group.id}/export`), { status: 202, body: { message: '202 Accepted' } });
  t.like(await asOwner.get(`/groups/${group.id}/export/download`), { status: 404, body: NOT_READY });
  t.like((await asOwner.get(`/groups/${group.id}/export`)).body, { status: 'queued' });
  await app.work();
  const { status, headers, bytes } = await download(owner, group.id);
  t.is(status, 200);
  t.is(headers.get('content-type'), 'application/octet-stream');
  t.is(headers.get('content-length'), String(bytes.length));
  t.is(headers.get('digest'), `sha-256=${createHash('sha256').update(bytes).digest('base64')}`);
  const stamp = app.clock.now().toISOString();
  const name = `${stamp.slice(0, 10)}_${stamp.slice(11, 13)}-${stamp.slice(14, 16)}-${stamp.slice(20, 23)}_${group.full_path}`;
  t.is(headers.get('content-disposition'), `attachment; filename="${name.slice(0, 51)}_export.tar.gz"`);
  const names = (await readArchive(bytes)).map((entry) => entry.name);
  t.deepEqual(names.slice(0, 5), [
    './VERSION',
    './SERVICE_VERSION',
    './SERVICE_REVISION',
    './tree/groups/_all.ndjson',
    `./tree/groups/${group.id}.json`,
  ]);
  const exportStatus = (await asOwner.get(`/groups/${group.id}/export`)).body;
  t.like(exportStatus, { status: 'finished', phase: null, error: null, attempts: 1, file_size: bytes.length });
  t.true(exportStatus.relations.every(({ total, done }: { total: number; done: number }) => total === done));
  const log = (await asOwner.get(`/groups/${group.id}/audit_events`)).body;
  const events = log.map((event: { event_name: string }) => event.event_name);
  t.true(events.includes('group_export_requested') && events.includes('group_export_downloaded'));
});

// Contract: interface-2.8.contents, archives-3.layout, archives-3.attributes, archives-3.not_exported
test.serial(
  'an archive holds each relation of a group and of the groups below it, with the attributes of the format',
  async (t) => {
    const { owner, group } = await owned();
    const asOwner = app.as(owner);
    const member = await app.build.user();
    await asOwner.post(`/groups/${group.id}/members`, {
      user_id: member.id,
      access_level: 30,
      expires_at: '2099-01-31',
    });
    const { body: below } = await asOwner.post('/groups', { name: 'Below', path: 'below', parent_id: group.id });
    for (const { id } of [group, below]) {
      await asOwner.post(`/groups/${id}/labels`, {
        name: `bug ${id}`,
        color: '#FFAABB',
        description: 'Not "right"\nat all',
      });
      await asOwner.post(`/groups/${id}/milestones`, { title: 'One', due_date: '2030-02-01' });
      await asOwner.post(`/groups/${id}/boards`, { name: 'Plan' });
      await asOwner.post(`/groups/${id}/badges`, { link_url: 'https://a.test', image_url: 'https://a.test/i' });
    }
    const { body: epic } = await asOwner.post(`/groups/${group.id}/epics`, {
      title: 'Above',
      labels: `bug ${group.id}`,
    });
    await asOwner.post(`/groups/${below.id}/epics`, { title: 'Inner', parent_id: epic.id, confidential: true });
    const files = await archiveObjects(await exported(owner, group.id));
    t.deepEqual(files.get('./tree/groups/_all.ndjson') as unknown, [group.id, below.id]);
    for (const { id } of [group, below])
      t.deepEqual(Object.keys(files.get(`./tree/groups/${id}.json`)?.[0] ?? {}), Object.keys(groupAttributes));
    for (const { name, attributes } of groupRelations) {
      const found = files.get(`./tree/groups/${group.id}/${name}.ndjson`)?.[0];
      t.deepEqual(Object.keys(found ?? {}), Object.keys(attributes), name);
    }
    const of = (id: number, relation: string) => files.get(`./tree/groups/${id}/${relation}.ndjson`) as never[];
    t.like(of(below.id, 'labels')[0], {
      title: `bug ${below.id}`,
      type: 'GroupLabel',
      group_id: below.id,
      project_id: null,
    });
    t.like(of(group.id, 'labels')[0], { description: 'Not "right"\nat all', textColor: '#1F1E24', priorities: [] });
    t.like(of(group.id, 'milestones')[0], { title: 'One', due_date: '2030-02-01', state: 'active', iid: 1 });
    t.like(of(below.id, 'epics')[0], {
      title: 'Inner',
      confidential: true,
      parent_id: epic.id,
      parent: { id: epic.id },
    });
    t.like(of(group.id, 'epics')[0], {
      author: { name: owner.name },
      label_links: [{ label: { title: `bug ${group.id}` } }],
    });
    const members = of(group.id, 'members') as { user_id: number }[];
    t.deepEqual(
      members.map(({ user_id: id }) => id),
      [owner.id, member.id],
    );
    t.like(members[1], {
      access_level: 30,
      expires_at: '2099-01-31',
      invite_token: null,
      user: { username: member.username },
    });
  },
);

test.serial('two archives of an unchanged group are the same bytes', async (t) => {
  const { owner, group } = await owned();
  await app.as(owner).post(`/groups/${group.id}/labels`, { name: 'bug', color: '#FFAABB' });
  const first = await exported(owner, group.id);
  const second = await exported(owner, group.id);
  t.true(first.equals(second));
  for (const { header } of await readArchive(first)) t.deepEqual(header, { mode: 0o644, mtime: 0, uid: 0, uname: '' });
});

test.serial(
  'rows of one relation that are more than one step reads are all in the archive, in their order',
  async (t) => {
    const { owner, group } = await owned();
    const { body: below } = await app.as(owner).post('/groups', { name: 'Below', path: 'below', parent_id: group.id });
    const { db } = app.services;
    for (const [id, count] of [
      [group.id, 1203],
      [below.id, 7],
    ] as const)
      await db.query(sql`insert into milestones (namespace_id, iid, title, created_at, updated_at)
      select ${id}, n, 'M' || n, now(), now() from generate_series(1, ${count}::integer) n`);
    const files = await archiveObjects(await exported(owner, group.id));
    const iids = (id: number) => files.get(`./tree/groups/${id}/milestones.ndjson`)?.map(({ iid }) => iid);
    t.deepEqual(
      iids(group.id),
      Array.from({ length: 1203 }, (_, index) => index + 1),
    );
    t.is(iids(below.id)?.length, 7);
  },
);

// Contract: archives-2.2
test.serial('an older archive of a group is gone once the job of a new one begins, and not before', async (t) => {
  const { owner, group } = await owned();
  await exported(owner, group.id);
  await app.as(owner).post(`/groups/${group.id}/export`);
  t.is((await download(owner, group.id)).status, 200);
  await app.work();
  t.is((await download(owner, group.id)).status, 200);
});

// Contract: archives-2.3, decisions-10
test.serial('an archive is for the Owner who asked for it alone', async (t) => {
  const { owner, group } = await owned();
  const other = await app.build.groupMember(group, 'owner');
  await exported(owner, group.id);
  t.like(await app.as(other).get(`/groups/${group.id}/export/download`), { status: 404, body: NOT_READY });
  t.like((await app.as(other).get(`/groups/${group.id}/export`)).body, { status: 'none', file_size: null });
});

// Contract: archives-2.8
test.serial('Owners and administrators export, Maintainers do not, strangers find nothing', async (t) => {
  const { owner, group } = await owned();
  const maintainer = await app.build.groupMember(group, 'maintainer');
  const stranger = await app.build.user();
  const admin = await app.build.admin();
  for (const path of ['export/download', 'export']) {
    t.is((await app.as(maintainer).get(`/groups/${group.id}/${path}`)).status, 403);
    t.like(await app.as(stranger).get(`/groups/${group.id}/${path}`), {
      status: 404,
      body: { message: '404 Group Not Found' },
    });
    t.is((await app.anonymous.get(`/groups/${group.id}/${path}`)).status, 401);
  }
  t.is((await app.as(maintainer).post(`/groups/${group.id}/export`)).status, 403);
  t.is((await app.as(admin).post(`/groups/${group.id}/export`)).status, 202);
  t.is((await app.as(owner).post(`/groups/${group.id}/export`)).status, 202);
  await app.work();
});

test.serial('an export is cancelled by whoever asked for it, and its archive removed', async (t) => {
  const { owner, group } = await owned();
  const asOwner = app.as(owner);
  t.is((await asOwner.delete(`/groups/${group.id}/export`)).status, 404);
  await asOwner.post(`/groups/${group.id}/export`);
  t.is((await asOwner.delete(`/groups/${group.id}/export`)).status, 204);
  await app.work();
  t.like((await asOwner.get(`/groups/${group.id}/export`)).body, { status: 'cancelled' });
  t.is((await download(owner, group.id)).status, 404);
  await exported(owner, group.id);
  t.is((await asOwner.delete(`/groups/${group.id}/export`)).status, 204);
  t.is((await download(owner, group.id)).status, 404);
});

test.serial('an export fails with its reason where whoever asked for it may not export any more', async (t) => {
  const { owner, group } = await owned();
  const other = await app.build.groupMember(group, 'owner');
  await app.as(other).post(`/groups/${group.id}/export`);
  await app.as(owner).put(`/groups/${group.id}/members/${other.id}`, { access_level: 50, expires_at: '2000-01-01' });
  await app.as(owner).delete(`/groups/${group.id}/members/${other.id}`);
  await app.as(owner).post(`/groups/${group.id}/members`, { user_id: other.id, access_level: 40 });
  await app.work();
  await app.as(owner).put(`/groups/${group.id}/members/${other.id}`, { access_level: 50 });
  t.like((await app.as(other).get(`/groups/${group.id}/export`)).body, {
    status: 'failed',
    error: 'The user who asked for the export may not export it any more.',
  });
});

test.serial('a part of an archive is served as asked for, and no part where there is none', async (t) => {
  const { owner, group } = await owned();
  const whole = await exported(owner, group.id);
  const part = await download(owner, group.id, { Range: 'bytes=10-19' });
  t.is(part.status, 206);
  t.is(part.headers.get('content-range'), `bytes 10-19/${whole.length}`);
  t.true(part.bytes.equals(whole.subarray(10, 20)));
  const rest = await download(owner, group.id, { Range: 'bytes=20-' });
  t.true(Buffer.concat([whole.subarray(0, 20), rest.bytes]).equals(whole));
  const last = await download(owner, group.id, { Range: 'bytes=-5' });
  t.true(last.bytes.equals(whole.subarray(-5)));
  const beyond = await download(owner, group.id, { Range: `bytes=${whole.length}-` });
  t.is(beyond.status, 416);
  t.is(beyond.headers.get('content-range'), `bytes */${whole.length}`);
  const changed = await download(owner, group.id, { Range: 'bytes=0-1', 'If-Range': '"another"' });
  t.is(changed.status, 200);
});

test.serial('the archive of a user who is removed goes with them', async (t) => {
  const { owner, group } = await owned();
  const other = await app.build.groupMember(group, 'owner');
  await exported(other, group.id);
  await app.as(await app.build.admin()).delete(`/users/${other.id}`);
  await app.work();
  const left = await app.services.db.query(sql`select 1 from archive_exports where namespace_id = ${group.id}`);
  t.is(left.length, 0);
  t.is((await app.as(owner).get(`/groups/${group.id}`)).status, 200);
});
