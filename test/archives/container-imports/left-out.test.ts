import { gunzipSync, gzipSync } from 'node:zlib';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { exportSteps } from '../exports/export-steps.js';
import { archiveObjects, readArchive } from '../exports/read-archive.js';
import { whileWorking } from '../import-plans/planned.js';
import { sampleProject } from './project-sample.js';
import { getTar } from '../read/tar-bytes.js';
import type { RawEntry } from '../read/tar-bytes.js';
import { importForm, sampleArchive } from './sample-archive.js';

const app = useApp(test);
const { download, exported } = exportSteps(app);
let number = 0;
const T = '2024-03-01T10:20:30.400Z';

test.before('let tests ask as often as they like', () =>
  app.set({
    group_export_limit: 0,
    group_download_export_limit: 0,
    group_import_limit: 0,
    project_export_limit: 0,
    project_download_export_limit: 0,
    project_import_limit: 0,
  }),
);

interface Left {
  failures_count: number;
  failures: { file: string; line: number; relation: string; reason: string }[];
  relations: { relation: string; total: number; skipped: number; imported?: number }[];
}

const formatFailures = ({ failures }: Left) =>
  failures.map(({ file, line, reason }) => `${file}:${line} ${reason}`).toSorted();

/** Plans an import and runs it: both have to report the same omitted records. */
async function plannedAndImported(t: ExecutionContext, user: BuiltUser, archive: Buffer, parent?: { id: number }) {
  const path = `left-${(number += 1)}`;
  const fields = { name: path, path, ...(parent ? { parent_id: parent.id } : {}) };
  const send = (more: object) =>
    app.as(user).raw('POST', '/api/v4/groups/import', importForm(archive, { ...fields, ...more }));
  const plan = await whileWorking(app, send({ dry_run: true }));
  t.is(plan.status, 200, plan.text);
  t.is((await send({})).status, 202);
  await app.work();
  const full = parent ? `${(await app.as(user).get(`/groups/${parent.id}`)).body.full_path}/${path}` : path;
  const { body: status } = await app.as(user).get(`/groups/${encodeURIComponent(full)}/import`);
  t.is(status.status, 'finished', JSON.stringify(status));
  t.deepEqual(formatFailures(plan.body), formatFailures(status));
  t.is(plan.body.failures_count, status.failures_count);
  const counts = ({ relations }: Left) =>
    relations
      .map(({ relation, total, skipped }) => ({ relation, total, skipped }))
      .toSorted((a, b) => (a.relation < b.relation ? -1 : 1));
  t.deepEqual(counts(plan.body), counts(status));
  return { full, plan: plan.body, status: status as Left, failures: formatFailures(status) };
}

const getMilestones = async (user: BuiltUser, path: string) =>
  (await app.as(user).get(`/groups/${encodeURIComponent(path)}/milestones`)).body.map(
    ({ title, due_date }: { title: string; due_date: string }) => [title, due_date],
  );

// Contract: group-imports-4.duplicates
test('milestones of one title come back at each level, also below a group that has one too', async (t) => {
  const owner = await app.build.user();
  const as = app.as(owner);
  const { body: top } = await as.post('/groups', { name: 'Top', path: `top-${owner.id}` });
  const { body: below } = await as.post('/groups', { name: 'Below', path: 'below', parent_id: top.id });
  await as.post(`/groups/${top.id}/milestones`, { title: 'v1.0', due_date: '2026-01-31' });
  const { body: inner } = await as.post(`/groups/${below.id}/milestones`, { title: 'v1.0', due_date: '2026-12-31' });
  const { body: board } = await as.post(`/groups/${below.id}/boards`, { name: 'Plan' });
  const { body: outer } = await as.get(`/groups/${top.id}/milestones`);
  for (const id of [outer[0].id, inner.id])
    await as.post(`/groups/${below.id}/boards/${board.id}/lists`, { milestone_id: id });
  const archive = await exported(owner, top.id);
  const parent = await app.build.group({ owner });
  await as.post(`/groups/${parent.id}/milestones`, { title: 'v1.0', due_date: '2027-07-07' });
  for (const parentGroup of [undefined, parent]) {
    const { full, status, failures } = await plannedAndImported(t, owner, archive, parentGroup);
    t.deepEqual(await getMilestones(owner, full), [['v1.0', '2026-01-31']]);
    t.deepEqual(await getMilestones(owner, `${full}/below`), [['v1.0', '2026-12-31']]);
    t.like(
      status.relations.find(({ relation }) => relation === 'milestones'),
      { total: 2, imported: 2, skipped: 0 },
    );
    t.deepEqual(failures, []);
    const { body: boards } = await as.get(`/groups/${encodeURIComponent(`${full}/below`)}/boards`);
    const lists = boards.flatMap(({ lists: all }: { lists: { milestone: { due_date: string } }[] }) =>
      all.map(({ milestone }) => milestone.due_date),
    );
    t.deepEqual(lists, ['2026-01-31', '2026-12-31']);
  }
});

// Contract: group-imports-4.duplicates
test('labels that a group above has, and rows of one name, are named with what differs, in the plan and the status', async (t) => {
  const owner = await app.build.user();
  const parent = await app.build.group({ owner });
  await app.as(owner).post(`/groups/${parent.id}/labels`, { name: 'bug', color: '#ff0000', description: 'Ours' });
  const label = (title: string, more: object = {}) => ({
    title,
    color: '#112233',
    description: 'What',
    created_at: T,
    ...more,
  });
  const milestone = (title: string) => ({ title, created_at: T });
  const archive = sampleArchive([
    { id: 1, relations: { labels: [label('bug'), label('plain'), label('plain', { color: '#000000' })] } },
    {
      id: 2,
      relations: { labels: [label('plain', { archived: true })], milestones: [milestone('m'), milestone('m')] },
    },
    { id: 3, attributes: { parent_id: 2 }, relations: { labels: [label('plain')] } },
  ]);
  const { full, failures, status } = await plannedAndImported(t, owner, archive, parent);
  t.deepEqual(failures, [
    `tree/groups/1/labels.ndjson:1 the label of this title that is there already is used (color #ff0000 instead of #112233, another description): ${parent.full_path}`,
    'tree/groups/1/labels.ndjson:3 title has already been taken by line 2',
    `tree/groups/2/labels.ndjson:1 the label of this title that is there already is used (not archived): ${full}`,
    'tree/groups/2/milestones.ndjson:2 title has already been taken by line 1',
    `tree/groups/3/labels.ndjson:1 the label of this title that is there already is used (nothing differs): ${full}`,
  ]);
  t.like(status.relations, [
    { relation: 'labels', total: 5, imported: 1, skipped: 4 },
    { relation: 'milestones', total: 2, imported: 1, skipped: 1 },
  ]);
});

// Contract: group-imports-4.duplicates
test('a milestone that somebody made in the new group meanwhile is used only if it is the very same', async (t) => {
  const owner = await app.build.user();
  const path = `meanwhile-${owner.id}`;
  const milestone = (title: string) => ({ title, description: 'Text', created_at: T });
  const archive = sampleArchive([{ id: 1, relations: { milestones: [milestone('same'), milestone('other')] } }]);
  await app.as(owner).raw('POST', '/api/v4/groups/import', importForm(archive, { name: path, path }));
  const createIssue = async (title: string) =>
    (await app.as(owner).post(`/groups/${path}/milestones`, { title, description: 'Text' })).body as { id: number };
  const same = await createIssue('same');
  await createIssue('other');
  await app.services.db.pool.query('update milestones set created_at = $2 where id = $1', [same.id, T]);
  await app.work();
  const { body: status } = await app.as(owner).get(`/groups/${path}/import`);
  t.deepEqual(formatFailures(status), ['tree/groups/1/milestones.ndjson:2 title has already been taken']);
  t.like(status.relations[0], { total: 2, imported: 1, skipped: 1 });
});

// Contract: group-imports-4.duplicates
test('what a board is of that is not here is named, and labels of groups that were left behind are made', async (t) => {
  const owner = await app.build.user();
  const list = (list_type: string, more: object) => ({ list_type, ...more });
  const archive = sampleArchive([
    {
      id: 2,
      relations: {
        boards: [
          {
            name: 'Plan',
            milestone: { iid: 4, title: 'Gone', group_id: 1 },
            lists: [
              list('label', { label: { title: 'above', color: '#123456' } }),
              list('milestone', { milestone: { iid: 5, title: 'Gone too', group_id: 1 } }),
              list('assignee', { assignee: { id: 7, username: 'ann' } }),
            ],
          },
        ],
      },
    },
  ]);
  const { full, failures } = await plannedAndImported(t, owner, archive);
  t.deepEqual(failures, [
    'tree/groups/2/boards.ndjson:1 is made without its milestone Gone, its list of the milestone Gone too, its list of the assignee ann',
  ]);
  t.like((await app.as(owner).get(`/groups/${full}/labels`)).body, [{ name: 'above', color: '#123456' }]);
});

// Contract: group-imports-4.duplicates
test('milestones of boards are found in the plan where the import finds them: in the group that is named, by id, or above', async (t) => {
  const owner = await app.build.user();
  const parent = await app.build.group({ owner });
  await app.as(owner).post(`/groups/${parent.id}/milestones`, { title: 'above' });
  const board = (milestone: object, more: object = {}) => ({ name: 'Plan', milestone, ...more });
  const boards = [
    board({ title: 'top', group_id: 1 }),
    board({ title: 'top', group_id: 2 }),
    board({ title: 'top', group_id: null }),
    board({ title: 'beside', group_id: 3 }),
    board({ title: 'above', group_id: 9 }),
    board({ title: 'above', group_id: 1 }),
    board({ title: 'renamed', group_id: 1 }, { milestone_id: 11 }),
    board({ title: 'nowhere', group_id: 9 }),
    board({ title: 'long'.repeat(100), group_id: 9 }),
  ];
  const milestone = (id: number, title: string) => ({ id, title, created_at: T });
  const archive = sampleArchive([
    { id: 1, relations: { milestones: [milestone(11, 'top')] } },
    { id: 2, attributes: { parent_id: 1 }, relations: { boards } },
    { id: 3, attributes: { parent_id: 1 }, relations: { milestones: [milestone(13, 'beside')] } },
  ]);
  const { failures } = await plannedAndImported(t, owner, archive, parent);
  t.deepEqual(
    failures,
    [
      [2, 'top'],
      [4, 'beside'],
      [6, 'above'],
      [8, 'nowhere'],
      [9, 'long'.repeat(100)],
    ].map(
      ([line, title]) =>
        `tree/groups/2/boards.ndjson:${line} ${`is made without its milestone ${title}`.slice(0, 255)}`,
    ),
  );
});

/** A group with an Owner who is an administrator, a member with a lower role, and comments by both. */
async function peopled() {
  const [admin, member] = [await app.build.admin(), await app.build.user()];
  const as = app.as(admin);
  const { body: group } = await as.post('/groups', { name: 'People', path: `people-${admin.id}` });
  await as.post(`/groups/${group.id}/members`, { user_id: member.id, access_level: 30 });
  await app.as(member).post(`/groups/${group.id}/epics`, { title: 'Theirs' });
  return { admin, member, group: group as { id: number } };
}

const getMembers = async (user: BuiltUser, path: string) =>
  (await app.as(user).get(`/groups/${encodeURIComponent(path)}/members`)).body
    .map(({ id, access_level: level }: { id: number; access_level: number }) => [id, level])
    .toSorted() as [number, number][];

/** The archive with its files changed, repacked. */
async function forged(archive: Buffer, change: (files: RawEntry[]) => RawEntry[]): Promise<Buffer> {
  const files = (await readArchive(archive)).map(({ name, bytes }) => ({ name, body: bytes }));
  return gzipSync(getTar(change(files)));
}

const called = (end: string) => (file: RawEntry) => String(file.name).endsWith(end);
const isOrigin = called('_ORIGIN');
const isMembers = called('/members.ndjson');
const isEpics = called('/epics.ndjson');
const isSettings = called('/namespace_settings.ndjson');
const getBody = (files: RawEntry[], which: (file: RawEntry) => boolean) => String(files.find(which)?.body);
const withBody = (files: RawEntry[], which: (file: RawEntry) => boolean, body: string) =>
  files.map((file) => (which(file) ? { ...file, body } : file));

// Contract: group-imports-4.members
test('an administrator who imports an archive of this very instance keeps all members and authors', async (t) => {
  const { admin, member, group } = await peopled();
  const archive = await exported(admin, group.id);
  const { full, failures, plan } = await plannedAndImported(t, admin, archive);
  t.deepEqual(failures, []);
  t.like(plan.users, { mapped_count: 2, unmapped_count: 0 });
  t.deepEqual(
    await getMembers(admin, full),
    [
      [admin.id, 50],
      [member.id, 30],
    ].toSorted(),
  );
  const [epic] = (await app.as(admin).get(`/groups/${full}/epics`)).body;
  t.is(epic.author.id, member.id);
  t.notRegex(gunzipSync(archive).toString('latin1'), /@/, 'no address that nobody made public');
  // Packed by another program it is still the same archive.
  const again = await plannedAndImported(t, admin, await forged(archive, (files) => files.toReversed()));
  t.deepEqual(again.failures, []);
});

// Contract: group-imports-4.members
test('whoever changes, adds, removes or exchanges a file of an archive has one of no instance', async (t) => {
  const { admin, member, group } = await peopled();
  const archive = await exported(admin, group.id);
  const other = await peopled();
  const others = (await readArchive(await exported(other.admin, other.group.id))).map(({ name, bytes }) => ({
    name,
    body: bytes,
  }));
  const raised = (files: RawEntry[]) => getBody(files, isMembers).replace('"access_level":30', '"access_level":50');
  const changes: Record<string, (files: RawEntry[]) => RawEntry[]> = {
    'a role is raised': (files) => withBody(files, isMembers, raised(files)),
    'an epic is written by somebody else': (files) =>
      files.map((file) =>
        isEpics(file)
          ? { ...file, body: String(file.body).replace(`"author_id":${member.id}`, `"author_id":${admin.id}`) }
          : file,
      ),
    'a file is added': (files) => [...files, { name: `./tree/groups/${group.id}/badges.ndjson`, body: '' }],
    'a file is removed': (files) => files.filter((file) => !isSettings(file)),
    'the code is of another archive': (files) => withBody(files, isOrigin, getBody(others, isOrigin)),
    'the code is left out': (files) => files.filter((file) => !isOrigin(file)),
    'the code is empty': (files) => withBody(files, isOrigin, ''),
    'members are of another archive': (files) => withBody(files, isMembers, getBody(others, isMembers)),
  };
  for (const [what, change] of Object.entries(changes)) {
    const { full, failures } = await plannedAndImported(t, admin, await forged(archive, change));
    t.deepEqual(await getMembers(admin, full), [[admin.id, 50]], what);
    const [epic] = (await app.as(admin).get(`/groups/${full}/epics`)).body;
    t.is(epic.author.id, admin.id, what);
    t.true(failures.length >= 2, what);
    t.true(
      failures.every((one) =>
        one.endsWith(
          'is left out: the archive has no public address, and was not written by this instance with its ids and user names',
        ),
      ),
      what,
    );
  }
});

// Contract: group-imports-4.members
test('a user whose id or name is that of somebody else by now is not taken for the one of the archive', async (t) => {
  const { admin, member, group } = await peopled();
  const archive = await exported(admin, group.id);
  await app.as(admin).put(`/users/${member.id}`, { username: `renamed-${member.id}` });
  const successor = await app.as(admin).post('/users', {
    username: member.username,
    name: 'Successor',
    email: `successor-${member.id}@capstan.test`,
    password: 'Long and 0dd, is it not?',
    skip_confirmation: true,
  });
  t.is(successor.status, 201, successor.text);
  const { full, failures } = await plannedAndImported(t, admin, archive);
  t.deepEqual(await getMembers(admin, full), [[admin.id, 50]]);
  t.deepEqual(
    failures.map((one) => one.replace(/^.*:\d+ /, '')),
    Array.from(
      { length: 2 },
      () => `${member.username} is left out: no user here has the id and user name of the archive`,
    ),
  );
});

// Contract: group-imports-4.members
test('everybody who is left out is named with the reason, whoever imports', async (t) => {
  const [admin, user, confirmed] = [await app.build.admin(), await app.build.user(), await app.build.user()];
  await app.services.db.pool.query('update users set confirmed_at = now() where id = $1', [confirmed.id]);
  const { rows } = await app.services.db.pool.query<{ email: string }>('select email from users where id = $1', [
    confirmed.id,
  ]);
  const member = (id: number, username: string, public_email: string | null, more: object = {}) => ({
    access_level: 30,
    source_type: 'Namespace',
    user_id: id,
    created_at: T,
    user: { id, public_email, username },
    ...more,
  });
  const parent = await app.build.group({ owner: admin });
  await app.as(admin).post(`/groups/${parent.id}/members`, { user_id: confirmed.id, access_level: 40 });
  const archive = sampleArchive([
    {
      id: 1,
      relations: {
        members: [
          member(1, 'known', rows[0]?.email.toUpperCase() ?? ''),
          member(2, 'ann', 'ann@elsewhere.test'),
          member(3, 'bob', null),
          member(4, 'eve', null, { requested_at: T }),
          member(5, 'dan', null, { expires_at: '2020-01-01' }),
          { access_level: 30, invite_email: 'x@elsewhere.test', user: null },
          member(2, 'ann', 'ann@elsewhere.test'),
        ],
        user_contributions: [{ public_email: 'no@id.test', username: 'noid', name: 'No Id' }],
      },
    },
  ]);
  const at = (line: number) => `tree/groups/1/members.ndjson:${line} `;
  const rest = [
    `${at(4)}a request for access is left out`,
    `${at(5)}a membership that has expired is left out`,
    `${at(6)}an invitation that nobody accepted is left out`,
    `${at(7)}user_id has already been taken by line 2`,
    'tree/groups/1/user_contributions.ndjson:1 is left out: it has no id that anything of the archive could name',
  ];
  const byAdmin = await plannedAndImported(t, admin, archive);
  t.deepEqual(byAdmin.failures, [
    `${at(2)}ann is left out: no user here has confirmed the public address of the archive`,
    `${at(3)}bob is left out: the archive has no public address, and was not written by this instance with its ids and user names`,
    ...rest,
  ]);
  t.deepEqual(byAdmin.plan.users, { mapped: [{ username: confirmed.username }], mapped_count: 1, unmapped_count: 4 });
  t.true((await getMembers(admin, byAdmin.full)).some(([id, level]) => id === confirmed.id && level === 30));
  const below = await plannedAndImported(t, admin, archive, parent);
  t.is(below.failures[0], `${at(1)}known is left out: has a higher role here by a group above`);
  const byUser = await plannedAndImported(t, user, archive);
  const notMatched = 'people are matched only where an administrator imports';
  t.deepEqual(byUser.failures, [
    `${at(1)}known is left out: ${notMatched}`,
    `${at(2)}ann is left out: ${notMatched}`,
    `${at(3)}bob is left out: ${notMatched}`,
    ...rest,
  ]);
});

// Contract: group-imports-4.members
test('a long user name is cut between two characters, not within one', async (t) => {
  const name = 'x'.repeat(59);
  const members = [{ access_level: 30, user_id: 1, user: { id: 1, username: `${name}😀😀`, public_email: null } }];
  const archive = sampleArchive([{ id: 1, relations: { members } }]);
  const { failures } = await plannedAndImported(t, await app.build.user(), archive);
  t.deepEqual(failures, [
    `tree/groups/1/members.ndjson:1 ${name}😀 is left out: people are matched only where an administrator imports`,
  ]);
});

// Contract: group-imports-4.members
test('each of many people who are left out is named', async (t) => {
  const user = await app.build.user();
  const members = Array.from({ length: 150 }, (_, at) => ({
    access_level: 30,
    user_id: at + 1,
    user: { id: at + 1, username: `person-${at}`, public_email: null },
  }));
  const { status, plan } = await plannedAndImported(t, user, sampleArchive([{ id: 1, relations: { members } }]));
  for (const { failures, failures_count: count } of [status, plan as Left]) {
    t.is(count, 150);
    t.deepEqual(
      failures.map(({ line, reason }) => `${line} ${reason}`),
      members.map(
        ({ user: { username } }, at) =>
          `${at + 1} ${username} is left out: people are matched only where an administrator imports`,
      ),
    );
  }
});

// Contract: archives-7.people
test('authors of a project are known again in an archive of this instance, and those who are not are named', async (t) => {
  const admin = await app.build.admin();
  const writer = await app.build.user();
  const group = await app.build.group({ owner: admin });
  const project = await app.build.projectIn(group);
  await app.as(admin).post(`/groups/${group.id}/members`, { user_id: writer.id, access_level: 30 });
  await app.as(writer).post(`/projects/${project.id}/issues`, { title: 'Theirs' });
  await app.as(admin).post(`/projects/${project.id}/export`);
  await app.work();
  const own = (await download(admin, project.id, {}, 'projects')).bytes;
  t.is((await archiveObjects(own)).get('./tree/project/user_contributions.ndjson')?.length, 1);
  const other = await forged(own, (files) => files.filter((file) => !isOrigin(file)));
  const imported = async (archive: Buffer) => {
    const path = `authors-${(number += 1)}`;
    const { body } = await app.as(admin).raw('POST', '/api/v4/projects/import', importForm(archive, { path }));
    const form = importForm(archive, { path: `${path}-plan`, dry_run: true });
    const plan = await whileWorking(app, app.as(admin).raw('POST', '/api/v4/projects/import', form));
    await app.work();
    const { body: status } = await app.as(admin).get(`/projects/${body.id}/import`);
    const [issue] = (await app.as(admin).get(`/projects/${body.id}/issues`)).body;
    const failures = status.failed_relations.map(
      (one: Record<string, unknown>) => `${one.source} ${one.exception_message}`,
    );
    t.deepEqual(
      failures,
      plan.body.failures.map((one: { file: string; reason: string }) => `${one.file} ${one.reason}`),
    );
    return [issue.author.id, failures];
  };
  t.deepEqual(await imported(own), [writer.id, []]);
  t.deepEqual(await imported(other), [
    admin.id,
    [
      `tree/project/user_contributions.ndjson ${writer.username} is left out: the archive has no public address, and was not written by this instance with its ids and user names`,
    ],
  ]);
});

// Contract: archives-7.import_relations
test('labels and milestones that a project may not have besides its group are named, and so are milestones, epics and branches that it cannot have', async (t) => {
  const group = await app.build.group();
  const as = app.as(group.owner);
  await as.post(`/groups/${group.id}/labels`, { name: 'bug', color: '#ff0000' });
  await as.post(`/groups/${group.id}/milestones`, { title: 'v1', due_date: '2030-01-01' });
  await as.post(`/groups/${group.id}/epics`, { title: 'There' });
  await as.post(`/groups/${group.id}/epics`, { title: 'Hidden', confidential: true });
  const gone = { iid: 7, title: 'gone', group_id: 4 };
  const epic = (iid: number, title: string) => ({ epic: { iid, title } });
  const branches = { source_branch: 'idea', target_branch: 'main' };
  const archive = sampleProject({
    relations: {
      labels: [
        { title: 'bug', color: '#ff0000' },
        { title: 'own', color: '#112233' },
        { title: 'own', color: '#112233' },
      ],
      milestones: [
        { title: 'v1', due_date: '2031-01-01', created_at: T },
        { title: 'v2', created_at: T },
      ],
      issues: [
        { iid: 1, title: 'One', milestone: gone },
        { iid: 2, title: 'Two', milestone: { iid: 2, title: 'v2', project_id: 4 }, ...epic(3, 'Theme') },
        { iid: 3, title: 'Three', milestone: { iid: 1, title: 'v1', group_id: 4 }, ...epic(1, 'There') },
        { iid: 4, title: 'Four', milestone: gone, ...epic(1, 'Other') },
        { iid: 5, title: 'Five', ...epic(2, 'Hidden') },
        { iid: 6, title: 'Six', confidential: true, ...epic(2, 'Hidden') },
      ],
      boards: [
        { name: 'Board', milestone: gone, lists: [{ list_type: 'milestone', milestone: { iid: 2, title: 'v2' } }] },
      ],
      merge_requests: [
        { iid: 1, title: 'First', ...branches, milestone: gone },
        { iid: 2, title: 'Second', ...branches, milestone: gone },
        { iid: 3, title: 'Closed', ...branches, state: 'closed' },
      ],
    },
  });
  const path = 'named';
  const form = (more: object) => importForm(archive, { path, namespace: group.full_path, ...more });
  const plan = await whileWorking(app, as.raw('POST', '/api/v4/projects/import', form({ dry_run: true })));
  const { body } = await as.raw('POST', '/api/v4/projects/import', form({}));
  await app.work();
  const { body: status } = await as.get(`/projects/${body.id}/import`);
  const failures = status.failed_relations.map(
    (one: Record<string, unknown>) => `${one.relation_name}:${one.line_number} ${one.exception_message}`,
  );
  const names = [
    'labels:3 title has already been taken by line 2',
    `labels:1 the label of this title that is there already is used (nothing differs): ${group.full_path}`,
    `milestones:1 the milestone of this title that is there already is used (due date 2030-01-01 instead of 2031-01-01): ${group.full_path}`,
    'issues:1 is made without its milestone gone',
    'issues:2 is made without its epic Theme',
    'issues:4 is made without its milestone gone; is made without its epic Other',
    'issues:5 is made without its epic Hidden',
    'boards:1 is made without its milestone gone',
    'merge_requests:1 is made without its milestone gone',
    'merge_requests:2 is left out, since another open one of the archive has the same branches',
  ];
  t.deepEqual(failures, names);
  t.deepEqual(
    plan.body.failures
      .map((one: { relation: string; line: number; reason: string }) => `${one.relation}:${one.line} ${one.reason}`)
      .toSorted(),
    names.toSorted(),
  );
  t.is(plan.body.failures_count, names.length);
  t.like(
    plan.body.relations.find(({ relation }: { relation: string }) => relation === 'merge_requests'),
    { total: 3, skipped: 1 },
  );
  t.like((await as.get(`/projects/${body.id}/issues/2`)).body, { milestone: { title: 'v2' } });
});
