import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { whileWorking } from '../import-plans/planned.js';
import { importForm, sampleArchive } from './sample-archive.js';
import type { SampleGroup } from './sample-archive.js';

const app = useApp(test);
let number = 0;
const fresh = (name: string) => `${name}-${(number += 1)}`;
const T = '2024-03-01T10:20:30.400Z';

/** Sends an archive. */
const send = (user: BuiltUser, form: FormData) => app.as(user).raw('POST', '/api/v4/groups/import', form);

async function imported(user: BuiltUser, groups: SampleGroup[], fields: Record<string, string | number> = {}) {
  const path = fresh('imported');
  const sent = await send(user, importForm(sampleArchive(groups), { name: path, path, ...fields }));
  await app.work();
  const status = await app.as(user).get(`/groups/${encodeURIComponent(path)}/import`);
  return { path, sent, status: status.body };
}

const label = (id: number, title: string, more = {}) => ({
  id,
  title,
  color: '#112233',
  description: 'What',
  type: 'GroupLabel',
  created_at: T,
  updated_at: T,
  priorities: [],
  ...more,
});
const milestone = (id: number, iid: number, title: string, more = {}) => ({
  id,
  iid,
  title,
  description: null,
  state: 'active',
  start_date: '2024-01-01',
  due_date: '2024-02-01',
  created_at: T,
  updated_at: T,
  ...more,
});
const epic = (id: number, iid: number, title: string, more = {}) => ({
  id,
  iid,
  title,
  description: 'Text',
  state: 'opened',
  author_id: 7,
  author: { name: 'Jane' },
  color: '#abcdef',
  confidential: false,
  start_date_is_fixed: true,
  start_date_fixed: '2024-01-05',
  due_date_is_fixed: false,
  created_at: T,
  updated_at: T,
  ...more,
});

const tree = (): SampleGroup[] => [
  {
    id: 351,
    attributes: {
      description: 'The top',
      project_creation_level: 1,
      subgroup_creation_level: 0,
      request_access_enabled: false,
      emails_disabled: true,
      owner_id: 1,
      runners_token: 'secret',
    },
    relations: {
      labels: [label(1, 'bug'), label(2, 'feature'), label(3, 'bug')],
      milestones: [milestone(11, 5, '1.0'), milestone(12, 5, '2.0', { state: 'closed' })],
      badges: [
        {
          id: 1,
          name: 'b',
          link_url: 'https://example.com/%{project_path}',
          image_url: 'https://example.com/b.svg',
          type: 'GroupBadge',
          created_at: T,
          updated_at: T,
        },
      ],
      boards: [
        {
          id: 21,
          name: 'Plan',
          hide_backlog_list: true,
          hide_closed_list: false,
          milestone_id: 11,
          weight: 2,
          created_at: T,
          updated_at: T,
          labels: [{ title: 'feature' }],
          lists: [
            { id: 1, board_id: 21, list_type: 'backlog' },
            { id: 2, board_id: 21, label_id: 2, list_type: 'label', position: 1, label: { title: 'feature' } },
            { id: 3, board_id: 21, label_id: 1, list_type: 'label', position: 0, label: { title: 'bug' } },
          ],
        },
      ],
      epics: [
        epic(31, 4, 'Parent', {
          notes: [
            {
              id: 1,
              note: 'Hello',
              author_id: 7,
              author: { name: 'Jane @root' },
              type: 'DiscussionNote',
              discussion_id: 'abc',
              created_at: T,
            },
            {
              id: 2,
              note: 'Again',
              author_id: 7,
              type: 'DiscussionNote',
              discussion_id: 'abc',
              created_at: '2024-03-02T10:20:30Z',
            },
            { id: 3, note: ' ' },
          ],
          label_links: [{ label: { title: 'bug', color: '#112233' } }],
          state: 'closed',
          closed_at: T,
        }),
      ],
      user_contributions: [{ id: 7, public_email: 'jane@example.com', username: 'jane', name: 'Jane' }],
      namespace_settings: [{ prevent_sharing_groups_outside_hierarchy: true }],
    },
  },
  {
    id: 352,
    relations: {
      epics: [
        epic(32, 1, 'Child', {
          parent_id: 31,
          label_links: [{ label: { title: 'other', color: '#445566', description: 'Far' } }],
        }),
      ],
      labels: [label(4, 'feature')],
    },
  },
  {
    id: 353,
    attributes: { parent_id: 352, visibility_level: 0 },
    relations: { milestones: [milestone(13, 1, '3.0')] },
  },
];

// Contract: group-imports-1.import, group-imports-1.status, group-imports-4.attributes, group-imports-4.references, group-imports-4.epics, group-imports-4.authors
test('an archive laid out as the public product does it becomes a tree of groups with all that is in them', async (t) => {
  const user = await app.build.user();
  const { path, sent, status } = await imported(user, tree());
  t.deepEqual([sent.status, sent.body], [202, { message: '202 Accepted' }]);
  t.like(status, { status: 'finished', phase: 'done', last_error: null, failures_count: 3 });
  t.deepEqual(
    status.failures.map(({ file, reason }: { file: string; reason: string }) => `${file} ${reason}`),
    [
      'tree/groups/351/labels.ndjson title has already been taken by line 1',
      'tree/groups/351/user_contributions.ndjson jane is left out: people are matched only where an administrator imports',
      `tree/groups/352/labels.ndjson the label of this title that is there already is used (nothing differs): ${path}`,
    ],
  );
  t.deepEqual(status.groups, { total: 3, imported: 3, skipped: 0 });
  const as = app.as(user);
  const top = (await as.get(`/groups/${path}`)).body;
  t.like(top, {
    name: path,
    path,
    visibility: 'private',
    description: 'The top',
    project_creation_level: 'maintainer',
    subgroup_creation_level: 'owner',
    request_access_enabled: false,
    emails_disabled: true,
  });
  const below = (await as.get(`/groups/${path}/descendant_groups`)).body;
  t.deepEqual(below.map((one: { full_path: string }) => one.full_path).sort(), [
    `${path}/group-352`,
    `${path}/group-352/group-353`,
  ]);
  t.true(below.every((one: { visibility: string }) => one.visibility === 'private'));
  const labels = (await as.get(`/groups/${path}/labels?with_counts=false`)).body;
  t.deepEqual(labels.map((one: { name: string }) => one.name).sort(), ['bug', 'feature']);
  const milestones = (await as.get(`/groups/${path}/milestones`)).body;
  t.deepEqual(
    milestones
      .map(({ iid, title, state, created_at }: Record<string, unknown>) => [iid, title, state, created_at])
      .sort(),
    [
      [5, '1.0', 'active', T],
      [6, '2.0', 'closed', T],
    ],
  );
  const boards = (await as.get(`/groups/${path}/boards`)).body;
  t.is(boards.length, 1);
  t.like(boards[0], { name: 'Plan', hide_backlog_list: true, milestone: { title: '1.0' } });
  t.deepEqual(
    boards[0].lists.map((list: { label: { name: string } }) => list.label.name),
    ['bug', 'feature'],
  );
  t.deepEqual(
    boards[0].labels.map((one: { name: string }) => one.name),
    ['feature'],
  );
  const epics = (await as.get(`/groups/${path}/epics`)).body;
  const child = epics.find((one: { title: string }) => one.title === 'Child');
  const parent = epics.find((one: { title: string }) => one.title === 'Parent');
  t.like(parent, {
    iid: 4,
    state: 'closed',
    labels: ['bug'],
    created_at: T,
    color: '#abcdef',
    start_date_fixed: '2024-01-05',
    author: { id: user.id },
  });
  t.like(child, { iid: 1, parent_id: parent.id, labels: ['other'] });
  t.is((await as.get(`/groups/${path}/badges`)).body.length, 1);
  const threads = (await as.get(`/groups/${path}/epics/${parent.id}/discussions`)).body;
  t.deepEqual(
    threads.map(({ notes }: { notes: { body: string; created_at: string }[] }) =>
      notes.map(({ body, created_at }) => [body, created_at]),
    ),
    [
      [
        ['Hello\n\n*By Jane root on 2024-03-01T10:20:30Z (imported)*', T],
        ['Again\n\n*By Jane on 2024-03-02T10:20:30Z (imported)*', '2024-03-02T10:20:30.000Z'],
      ],
    ],
  );
  const members = (await as.get(`/groups/${path}/members`)).body;
  t.deepEqual(
    members.map((one: { id: number; access_level: number }) => [one.id, one.access_level]),
    [[user.id, 50]],
  );
  const { rows } = await app.services.db.pool.query(
    `select count(*)::int as n from archive_import_rows where import_id = ${status.id}`,
  );
  t.is(rows[0].n, 0);
  const stored = await app.services.db.pool.query(
    `select removed_at from stored_objects where kind = 'imports' and removed_at is null and id in (select object_id from archive_imports where id = ${status.id})`,
  );
  t.is(stored.rows.length, 0);
});

// Contract: group-imports-4.order
test('what is wrong is refused in the order of the contract', async (t) => {
  const user = await app.build.user();
  const outsider = await app.build.user();
  const group = await app.build.group();
  const archive = sampleArchive(tree());
  const path = fresh('refused');
  const ask = async (form: FormData, by = user) => {
    const { status, body } = await send(by, form);
    return [status, body];
  };
  t.is(
    (await app.anonymous.raw('POST', '/api/v4/groups/import', importForm(archive, { name: path, path }))).status,
    401,
  );
  t.deepEqual(await ask(importForm(archive, { name: path, path, parent_id: 999_999_999 })), [
    404,
    { message: '404 Group Not Found' },
  ]);
  t.deepEqual(await ask(importForm(null, { parent_id: 999_999_999 })), [404, { message: '404 Group Not Found' }]);
  t.is((await ask(importForm(archive, { name: path, path, parent_id: group.id }), outsider))[0], 404);
  const developer = await app.build.groupMember(group, 'developer');
  for (const fileFirst of [true, false])
    t.is((await ask(importForm(archive, { name: path, path, parent_id: group.id }, { fileFirst }), developer))[0], 403);
  t.deepEqual(await ask(importForm(null, {})), [400, { error: 'file is missing, name is missing, path is missing' }]);
  t.deepEqual(await ask(importForm(null, { name: path, path, file: 'text' })), [400, { error: 'file is invalid' }]);
  const zip = importForm(archive, { name: path, path }, { filename: 'export.zip' });
  t.deepEqual(await ask(zip), [
    422,
    { message: { error: 'You need to upload a project export archive (ending in .gz).' } },
  ]);
  t.deepEqual(await ask(importForm(archive, { name: 'x', path: user.username })), [
    400,
    { message: 'Failed to save group {:path=>["has already been taken"]}' },
  ]);
  t.is((await app.as(user).get(`/groups/${path}`)).status, 404);
});

// Contract: group-imports-4.fields, group-imports-4.visibility, group-imports-4.duplicates
test('the form may name its fields behind the file, and the group may be made in another one', async (t) => {
  const group = await app.build.group({ visibility: 'internal' });
  const path = fresh('below');
  await app.as(group.owner).post(`/groups/${group.id}/labels`, { name: 'bug', color: 'red' });
  const form = importForm(sampleArchive(tree()), { name: path, path, parent_id: group.id }, { fileFirst: true });
  t.is((await send(group.owner, form)).status, 202);
  await app.work();
  const as = app.as(group.owner);
  const full = encodeURIComponent(`${(await as.get(`/groups/${group.id}`)).body.full_path}/${path}`);
  t.like((await as.get(`/groups/${full}`)).body, { visibility: 'internal', parent_id: group.id });
  const own = (await as.get(`/groups/${full}/labels?include_ancestor_groups=false`)).body;
  t.deepEqual(
    own.map((one: { name: string }) => one.name),
    ['feature'],
  );
  const epics = (await as.get(`/groups/${full}/epics`)).body;
  t.deepEqual(epics.find((one: { title: string }) => one.title === 'Parent').labels, ['bug']);
});

// Contract: group-imports-1.dry-run
test('a dry run tells what would be done, and does nothing', async (t) => {
  const user = await app.build.user();
  const path = fresh('plan');
  const groups = [...tree(), { id: 360, attributes: { parent_id: 999 } }, { id: 361, attributes: { path: 'a b' } }];
  const plan = await whileWorking(
    app,
    send(user, importForm(sampleArchive(groups), { name: path, path, dry_run: true })),
  );
  t.is(plan.status, 200);
  t.like(plan.body, { groups_count: 5, users: { mapped: [], mapped_count: 0, unmapped_count: 1 }, failures_count: 3 });
  t.deepEqual(
    plan.body.groups.map((one: { full_path: string; skipped: string | null }) => [one.full_path, one.skipped === null]),
    [
      [path, true],
      [`${path}/group-352`, true],
      [`${path}/group-352/group-353`, true],
      [null, false],
      [null, false],
    ],
  );
  t.is(plan.body.relations.find((one: { relation: string }) => one.relation === 'labels').total, 4);
  t.is((await app.as(user).get(`/groups/${path}`)).status, 404);
  const bad = await whileWorking(app, send(user, importForm(Buffer.from('text'), { name: path, path, dry_run: true })));
  t.is(bad.status, 422);
  const there = await app.build.group({ owner: user });
  const form = importForm(sampleArchive(groups), { name: 'Taken', path: there.full_path, dry_run: true });
  t.regex((await send(user, form)).body.message, /:path=>\["has already been taken"\]/);
});
