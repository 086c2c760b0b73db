import { randomBytes } from 'node:crypto';
import test from 'ava';
import { runGroupImport, failLostImports } from '../../../shared/archives/container-imports/run-import.js';
import { handled } from '../../core/handled.js';
import { importOfGroups } from '../../../workers/archives/container-imports/import.js';
import { dieAfter } from '../statements.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { getArchive } from '../read/tar-bytes.js';
import { importForm, sampleArchive } from './sample-archive.js';
import type { SampleGroup } from './sample-archive.js';

const app = useApp(test);
let number = 0;
const T = '2024-03-01T10:20:30.400Z';

const rows = async <R extends object>(text: string, values: unknown[] = []): Promise<R[]> =>
  (await app.services.db.pool.query<R>(text, values)).rows;

/** Sends an archive, and leaves its job waiting. */
async function sent(user: BuiltUser, archive: Buffer) {
  const path = `rules-${(number += 1)}`;
  const answer = await app.as(user).raw('POST', '/api/v4/groups/import', importForm(archive, { name: path, path }));
  const [found] = await rows<{ id: string; namespace_id: string }>(
    `select i.id, i.namespace_id from archive_imports i join namespaces n on n.id = i.namespace_id where n.path = $1`,
    [path],
  );
  return { path, answer, id: Number(found?.id), group: Number(found?.namespace_id) };
}

const run = (id: number) => handled(app, importOfGroups, [{ import_id: id }]);
const getStatus = async (user: BuiltUser, path: string) => (await app.as(user).get(`/groups/${path}/import`)).body;

/** The remains of an import in the tables and the store. */
async function left(id: number) {
  const [row] = await rows<Record<string, number>>(
    `select (select count(*)::int from archive_import_rows where import_id = $1) as rows,
            (select count(*)::int from archive_import_users where import_id = $1) as users,
            (select count(*)::int from archive_imports where id = $1 and object_id is not null) as objects`,
    [id],
  );
  return row;
}

const labels = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({
    id: from + at + 1,
    title: `l${from + at}`,
    color: '#123456',
    type: 'GroupLabel',
    created_at: T,
  }));

const three = (): SampleGroup[] => [
  { id: 1, relations: { labels: labels(2), milestones: [{ id: 1, iid: 1, title: 'm', created_at: T }] } },
  { id: 2, relations: { labels: labels(2, 10) } },
  {
    id: 3,
    attributes: { parent_id: 2 },
    relations: { labels: labels(2, 20), epics: [{ id: 1, iid: 1, title: 'e', created_at: T }] },
  },
];

// Contract: group-imports-4.size
test.serial('what is larger than max_import_size is 413, and nothing of it is kept', async (t) => {
  await app.set({ max_import_size: 1 });
  const user = await app.build.user();
  const large = getArchive([{ name: 'VERSION', body: randomBytes(1_200_000) }]);
  const { answer, path } = await sent(user, large);
  await app.set({ max_import_size: 0 });
  t.is(answer.status, 413);
  t.is((await app.as(user).get(`/groups/${path}`)).status, 404);
  t.is((await rows(`select 1 from stored_objects where kind = 'imports'`)).length, 0);
});

// Contract: group-imports-4.repeat
test('a worker that dies after any statement is followed by one that ends the import as if nothing had been', async (t) => {
  // Each round dies later: after so many statements of the job.
  for (let after = 3; ; after += 7) {
    const user = await app.build.user();
    const { path, id } = await sent(user, sampleArchive(three()));
    const died = await dieAfter(after, () => runGroupImport(app.context(), id));
    await run(id);
    await run(id);
    const found = await getStatus(user, path);
    t.deepEqual([found.status, found.groups], ['finished', { total: 3, imported: 3, skipped: 0 }], `after ${after}`);
    const [counts] = await rows<{ groups: number; labels: number; epics: number; milestones: number }>(
      `with tree as (select d.id from namespaces d join namespaces n on d.traversal_ids @> array[n.id] where n.path = $1)
       select (select count(*)::int from tree) as groups,
              (select count(*)::int from labels l join tree on tree.id = l.namespace_id) as labels,
              (select count(*)::int from epics e join tree on tree.id = e.namespace_id) as epics,
              (select count(*)::int from milestones m join tree on tree.id = m.namespace_id) as milestones`,
      [path],
    );
    t.deepEqual(counts, { groups: 3, labels: 6, epics: 1, milestones: 1 }, `after ${after}`);
    t.deepEqual(await left(id), { rows: 0, users: 0, objects: 0 });
    if (!died) break;
  }
});

// Contract: group-imports-4.states, group-imports-5.incompatible
test('an archive that is refused leaves a group that says why, and nothing else', async (t) => {
  const user = await app.build.user();
  const bad: [Buffer, RegExp][] = [
    [Buffer.from('text'), /not compressed by gzip/],
    [getArchive([{ name: 'VERSION', body: '0.2.4' }]), /The import file is incompatible/],
    [getArchive([{ name: 'tree/groups/_all.ndjson', body: '1\nx\n' }]), /incompatible/],
    [getArchive([{ name: 'a', type: '2', link: 'b' }]), /symbolic link/],
    [
      getArchive([
        { name: 'tree/groups/_all.ndjson', body: '1\n' },
        { name: 'tree/groups/1.json', body: '{"id":2,"name":"a","path":"a"}' },
      ]),
      /attributes of the exported group/,
    ],
  ];
  for (const [archive, reason] of bad) {
    const { path, id, group } = await sent(user, archive);
    await run(id);
    const found = await getStatus(user, path);
    t.is(found.status, 'failed');
    t.regex(found.last_error, reason);
    t.deepEqual(await left(id), { rows: 0, users: 0, objects: 0 });
    t.is((await rows('select 1 from namespaces where parent_id = $1', [group])).length, 0);
  }
});

// Contract: group-imports-4.skipped
test('what does not fit is left out with its place and reason, and the rest is there', async (t) => {
  const user = await app.build.user();
  const chain = Array.from({ length: 22 }, (_, at) => ({
    id: 100 + at,
    attributes: { parent_id: at === 0 ? 1 : 99 + at },
  }));
  const { path, id } = await sent(
    user,
    sampleArchive([
      {
        id: 1,
        relations: {
          labels: [
            { ...labels(1)[0], id: 'x' },
            { title: '' },
            { title: 'kept', type: 'Other' },
            { title: 'kept', color: 'no' },
            { title: 'kept', __proto__: null, constructor: 1, owner_id: 1 },
          ],
          milestones: [
            { title: 'a', iid: '1' },
            { title: 'b', due_date: '1000000-01-01' },
            { title: 'c', created_at: 'today' },
            { title: 'd', iid: 2 ** 40 },
            { title: 'a\u0000' },
          ],
        },
      },
      { id: 2, attributes: { parent_id: 3 } },
      { id: 3, attributes: { parent_id: 2 } },
      { id: 4, attributes: { parent_id: 77 } },
      { id: 5, attributes: { name: '<b>' } },
      { id: 6, attributes: { parent_id: 5 } },
      ...chain,
    ]),
  );
  await run(id);
  const found = await getStatus(user, path);
  t.is(found.status, 'finished');
  t.deepEqual(found.groups, { total: 28, imported: 21, skipped: 7 });
  const labelsOf = found.relations.find((one: { relation: string }) => one.relation === 'labels');
  t.like(labelsOf, { total: 5, imported: 1, skipped: 4 });
  t.like(
    found.relations.find((one: { relation: string }) => one.relation === 'milestones'),
    { total: 5, imported: 1, skipped: 4 },
  );
  const problems = found.failures.map((one: { line: number | null; reason: string }) => `${one.line} ${one.reason}`);
  for (const expected of [
    '1 id is not an id',
    "2 Title can't be blank, Title is invalid",
    '3 type is none of the known values',
    '4 Color must be a valid color code',
    '1 iid is not a whole number',
    '2 due_date is not a date',
    '3 created_at is not a time',
    '5 title has characters that no text has',
  ])
    t.true(problems.includes(expected), `${expected} in ${problems.join('; ')}`);
  t.is(problems.filter((one: string) => /The group is left out/.test(one)).length, 7);
});

// Contract: group-imports-5.rights
test('whoever lost the group, or the right to it, has nothing imported any more', async (t) => {
  const user = await app.build.user();
  const blocked = await sent(user, sampleArchive(three()));
  await rows(`update users set state = 'blocked' where id = $1`, [user.id]);
  await run(blocked.id);
  await rows(`update users set state = 'active' where id = $1`, [user.id]);
  t.like(await getStatus(user, blocked.path), {
    status: 'failed',
    last_error: 'The user who asked for the import is gone or blocked.',
  });
  const demoted = await sent(user, sampleArchive(three()));
  await rows(`update group_members set access_level = 40 where namespace_id = $1`, [demoted.group]);
  await run(demoted.id);
  await rows(`update group_members set access_level = 50 where namespace_id = $1`, [demoted.group]);
  t.like(await getStatus(user, demoted.path), {
    status: 'failed',
    last_error: 'The user who asked for the import is no Owner of the group any more.',
  });
  t.deepEqual(await left(demoted.id), { rows: 0, users: 0, objects: 0 });
  const gone = await sent(user, sampleArchive(three()));
  await rows(`delete from namespaces where id = $1`, [gone.group]);
  await run(gone.id);
  t.is((await rows(`select 1 from archive_imports where id = $1`, [gone.id])).length, 0);
});

test('an import whose job is lost ends as failed, one whose job waits does not', async (t) => {
  const user = await app.build.user();
  const lost = await sent(user, sampleArchive(three()));
  const waiting = await sent(user, sampleArchive(three()));
  await rows(`delete from pgboss.job where name = 'group_imports.import' and data ->> 'import_id' = $1`, [
    String(lost.id),
  ]);
  t.is(await failLostImports(app.context()), 1);
  t.like(await getStatus(user, lost.path), { status: 'failed', last_error: 'The job of the import was lost.' });
  t.deepEqual(await left(lost.id), { rows: 0, users: 0, objects: 0 });
  t.like(await getStatus(user, waiting.path), { status: 'created' });
  await run(waiting.id);
  t.like(await getStatus(user, waiting.path), { status: 'finished' });
});

// Contract: group-imports-5.rights
test('a group that is renamed or transferred meanwhile is filled where it is, one that is archived or marked is not', async (t) => {
  const user = await app.build.user();
  const as = app.as(user);
  const moved = await sent(user, sampleArchive(three()));
  const above = await app.build.group({ owner: user, visibility: 'private' });
  t.is((await as.put(`/groups/${moved.group}`, { path: `renamed-${moved.group}` })).status, 200);
  t.is((await as.post(`/groups/${moved.group}/transfer`, { group_id: above.id })).status, 201);
  await run(moved.id);
  const path = `${above.full_path}/renamed-${moved.group}`;
  t.like(await getStatus(user, encodeURIComponent(path)), { status: 'finished', groups: { total: 3, imported: 3 } });
  const { body: below } = await as.get(`/groups/${moved.group}/descendant_groups`);
  t.true(below.every(({ full_path }: { full_path: string }) => full_path.startsWith(`${path}/`)));
  t.is(below.length, 2);
  for (const end of ['archived', 'marked'] as const) {
    const closed = await sent(user, sampleArchive(three()));
    const done =
      end === 'archived'
        ? await as.post(`/groups/${closed.group}/archive`)
        : await as.delete(`/groups/${closed.group}`);
    t.true(done.status < 300, `${end}: ${done.status}`);
    await run(closed.id);
    const [row] = await rows(`select status, last_error from archive_imports where id = $1`, [closed.id]);
    t.like(row, { status: 'failed', last_error: 'The group is archived, or about to be deleted.' });
    t.deepEqual(await left(closed.id), { rows: 0, users: 0, objects: 0 });
  }
});

// Contract: group-imports-1.cancel
test('an Owner cancels an import: what waits is never done, and the archive goes', async (t) => {
  const user = await app.build.user();
  const { path, id } = await sent(user, sampleArchive(three()));
  const cancelled = await app.as(user).delete(`/groups/${path}/import`);
  t.deepEqual(
    [cancelled.status, cancelled.body.status, cancelled.body.last_error],
    [200, 'failed', 'The import was cancelled.'],
  );
  t.is((await app.as(user).delete(`/groups/${path}/import`)).status, 409);
  await run(id);
  t.deepEqual((await getStatus(user, path)).groups, { total: 0, imported: 0, skipped: 0 });
  t.deepEqual(await left(id), { rows: 0, users: 0, objects: 0 });
});

// Contract: group-imports-4.members
test('people keep their roles and words where an administrator imports and their public address is their confirmed one', async (t) => {
  const [confirmed, unconfirmed] = [await app.build.user(), await app.build.user()];
  await rows(`update users set confirmed_at = now() where id = $1`, [confirmed.id]);
  await rows(`update users set confirmed_at = null where id = $1`, [unconfirmed.id]);
  const emails = await rows<{ id: string; email: string }>(`select id, email from users where id = any($1)`, [
    [confirmed.id, unconfirmed.id],
  ]);
  const getEmail = (user: BuiltUser) => emails.find(({ id }) => Number(id) === user.id)?.email;
  const member = (source: number, email: string | undefined, level: number) => ({
    id: source,
    access_level: level,
    source_type: 'Namespace',
    user_id: source,
    created_at: T,
    user: { id: source, public_email: email?.toUpperCase(), username: 'root' },
  });
  const archive = () =>
    sampleArchive([
      {
        id: 1,
        relations: {
          members: [
            member(901, getEmail(confirmed), 30),
            member(902, getEmail(unconfirmed), 30),
            member(903, 'nobody@example.com', 50),
            { id: 4, access_level: 30, invite_email: 'x@example.com', user: null },
            { ...member(901, getEmail(confirmed), 99), id: 5 },
          ],
          epics: [
            {
              id: 1,
              iid: 1,
              title: 'e',
              author_id: 901,
              created_at: T,
              award_emoji: [
                { name: 'thumbsup', user_id: 901 },
                { name: 'thumbsup', user_id: 902 },
              ],
            },
          ],
        },
      },
    ]);
  for (const importer of [await app.build.admin(), await app.build.user()]) {
    const { path, id } = await sent(importer, archive());
    await run(id);
    const as = app.as(importer);
    const members = (await as.get(`/groups/${path}/members`)).body.map((one: { id: number; access_level: number }) => [
      one.id,
      one.access_level,
    ]);
    const admin = (await as.get('/user')).body.is_admin === true;
    t.deepEqual(
      members.sort(),
      (admin
        ? [
            [importer.id, 50],
            [confirmed.id, 30],
          ]
        : [[importer.id, 50]]
      ).sort(),
    );
    const [epic] = (await as.get(`/groups/${path}/epics`)).body;
    t.is(epic.author.id, admin ? confirmed.id : importer.id);
    t.is(epic.upvotes, admin ? 1 : 0);
  }
});

// Contract: group-imports-6.limit
test('the seventh import in a minute is refused', async (t) => {
  const user = await app.build.user();
  for (let at = 0; at < 6; at += 1) t.is((await sent(user, sampleArchive([{ id: 1 }]))).answer.status, 202);
  const { answer } = await sent(user, sampleArchive([{ id: 1 }]));
  t.is(answer.status, 429);
  t.deepEqual(answer.body, { message: { error: 'This endpoint has been requested too many times. Try again later.' } });
});
