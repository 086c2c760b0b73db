import test from 'ava';
import { useApp } from '../../core/app.js';
import { exportSteps } from '../exports/export-steps.js';
import { archiveObjects } from '../exports/read-archive.js';
import { getArchive } from '../read/tar-bytes.js';
import { importForm } from './sample-archive.js';

const app = useApp(test);
const { download } = exportSteps(app);

test.before('let tests ask as often as they like', () =>
  app.set({ group_export_limit: 0, group_download_export_limit: 0, project_export_limit: 0 }),
);

const pretty = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
const lines = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** Attributes of a group as the public product writes them: more than are imported, and on several lines. */
const attributes = (id: number, parent: number | null, more: object = {}) => ({
  id,
  name: `Team ${id}`,
  path: `team-${id}`,
  owner_id: null,
  created_at: '2024-01-02 03:04:05 UTC',
  updated_at: '2024-01-02 03:04:05 UTC',
  description: 'Who does it',
  avatar: { url: null },
  membership_lock: false,
  share_with_group_lock: false,
  visibility_level: 0,
  request_access_enabled: true,
  ldap_sync_status: 'ready',
  lfs_enabled: null,
  parent_id: parent,
  require_two_factor_authentication: false,
  two_factor_grace_period: 48,
  project_creation_level: 1,
  subgroup_creation_level: 1,
  auto_devops_enabled: null,
  max_pages_size: null,
  max_artifacts_size: null,
  runners_token: 'never taken',
  ...more,
});

const publicGroups = getArchive([
  { name: './VERSION', body: '0.2.4' },
  { name: './GITLAB_VERSION', body: '18.6.0-ee' },
  { name: './GITLAB_REVISION', body: 'abcdef12345' },
  { name: './tree/groups/_all.ndjson', body: '71\n72\n' },
  { name: './tree/groups/71.json', body: pretty(attributes(71, null, { emails_enabled: false })) },
  { name: './tree/groups/72.json', body: pretty(attributes(72, 71, { emails_enabled: true, emails_disabled: true })) },
  {
    name: './tree/groups/71/labels.ndjson',
    body: lines({
      id: 5,
      title: 'bug',
      color: '#112233',
      project_id: null,
      created_at: '2024-01-02T03:04:05.678Z',
      updated_at: '2024-01-02T03:04:05.678Z',
      template: false,
      description: null,
      group_id: 71,
      lock_on_merge: false,
      archived: true,
      type: 'GroupLabel',
      priorities: [],
      textColor: '#FFFFFF',
    }),
  },
  {
    name: './tree/groups/72/boards.ndjson',
    body: lines({
      id: 8,
      project_id: null,
      created_at: '2024-01-02T03:04:05.678Z',
      updated_at: '2024-01-02T03:04:05.678Z',
      name: 'Plan',
      milestone_id: null,
      group_id: 72,
      weight: null,
      iteration_id: null,
      labels: [],
      lists: [
        { id: 1, board_id: 8, label_id: null, list_type: 'backlog', position: null, user_id: null },
        { id: 2, board_id: 8, label_id: 5, list_type: 'label', position: 0, label: { id: 5, title: 'bug' } },
        { id: 3, board_id: 8, label_id: null, list_type: 'closed', position: null, max_issue_count: 0 },
      ],
    }),
  },
]);

// Contract: group-imports-4.public
test('an archive of the public product is taken as it is written: attributes on several lines, emails_enabled', async (t) => {
  const user = await app.build.user();
  const as = app.as(user);
  const path = `public-${user.id}`;
  const form = importForm(publicGroups, { name: 'Public', path });
  t.is((await as.raw('POST', '/api/v4/groups/import', form)).status, 202);
  await app.work();
  t.like((await as.get(`/groups/${path}/import`)).body, {
    status: 'finished',
    last_error: null,
    groups: { total: 2, imported: 2, skipped: 0 },
    failures: [],
  });
  t.like((await as.get(`/groups/${path}`)).body, { emails_enabled: false, emails_disabled: true });
  const { body: below } = await as.get(`/groups/${encodeURIComponent(`${path}/team-72`)}`);
  t.like(below, { name: 'Team 72', description: 'Who does it', emails_enabled: true });
  t.like((await as.get(`/groups/${path}/labels`)).body, [{ name: 'bug', color: '#112233', archived: true }]);
  const { body: boards } = await as.get(`/groups/${below.id}/boards`);
  t.deepEqual(
    boards.map(({ name, lists }: { name: string; lists: { label: { name: string } }[] }) => [
      name,
      lists.map(({ label }) => label.name),
    ]),
    [['Plan', ['bug']]],
  );
});

// Contract: archives-7.import_relations
test('attributes of a project may stand on several lines', async (t) => {
  const user = await app.build.user();
  const archive = getArchive([
    { name: './VERSION', body: '0.2.4' },
    { name: './tree/project.json', body: pretty({ description: 'Of many lines', visibility_level: 20, hooks: [] }) },
  ]);
  const form = importForm(archive, { path: `lines-${user.id}` });
  const { body } = await app.as(user).raw('POST', '/api/v4/projects/import', form);
  await app.work();
  t.like((await app.as(user).get(`/projects/${body.id}/import`)).body, { import_status: 'finished' });
  t.like((await app.as(user).get(`/projects/${body.id}`)).body, { description: 'Of many lines', visibility: 'public' });
});

// Contract: archives-7.import_failed
test('attributes that are no JSON end the import of a project with the reason', async (t) => {
  const user = await app.build.user();
  for (const [body, reason] of [
    ['{"description":"a"}{}', /is not valid JSON/],
    ['[]', /is not an object/],
    ['', /is not valid JSON/],
  ] as const) {
    const archive = getArchive([{ name: './tree/project.json', body }]);
    const form = importForm(archive, { path: `bad-${user.id}-${body.length}` });
    const { body: project } = await app.as(user).raw('POST', '/api/v4/projects/import', form);
    await app.work();
    const { body: status } = await app.as(user).get(`/projects/${project.id}/import`);
    t.is(status.import_status, 'failed');
    t.regex(status.import_error, reason);
  }
});

// Contract: archives-3.plan
test.serial('an archive that is written on the Free plan holds no epics, and nobody for their sake', async (t) => {
  const group = await app.build.group();
  const writer = await app.build.user();
  const as = app.as(group.owner);
  await as.post(`/groups/${group.id}/members`, { user_id: writer.id, access_level: 30 });
  const { body: epic } = await app.as(writer).post(`/groups/${group.id}/epics`, { title: 'Theme' });
  const project = await app.build.projectIn(group);
  const { body: issue } = await as.post(`/projects/${project.id}/issues`, { title: 'One' });
  t.is((await as.post(`/groups/${group.id}/epics/${epic.iid}/issues/${issue.id}`)).status, 201);
  const archives = async () => {
    await as.post(`/groups/${group.id}/export`);
    await as.post(`/projects/${project.id}/export`);
    await app.work();
    const files = await archiveObjects((await download(group.owner, group.id)).bytes);
    const ofProject = await archiveObjects((await download(group.owner, project.id, {}, 'projects')).bytes);
    const rows = (relation: string) => files.get(`./tree/groups/${group.id}/${relation}.ndjson`);
    return {
      epics: rows('epics')?.length,
      people: rows('user_contributions')?.length,
      epic: ofProject.get('./tree/project/issues.ndjson')?.[0]?.epic ?? null,
    };
  };
  await app.set({ project_download_export_limit: 0 });
  t.like(await archives(), { epics: 1, people: 1, epic: { iid: 1, title: 'Theme' } });
  await app.set({ plan: 'free' });
  t.deepEqual(await archives(), { epics: undefined, people: undefined, epic: null });
  await app.set({ plan: 'ultimate' });
});
