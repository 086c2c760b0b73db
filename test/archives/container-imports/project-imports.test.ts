import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { exportSteps } from '../exports/export-steps.js';
import { archiveObjects } from '../exports/read-archive.js';
import { importForm } from './sample-archive.js';
import { getBundle } from './bundle-of.js';
import { sampleProject } from './project-sample.js';

const app = useApp(test);
const run = promisify(execFile);
const steps = exportSteps(app);
let number = 0;
const fresh = (name: string) => `${name}-${(number += 1)}`;

test.before('let tests ask as often as they like', () =>
  app.set({ project_export_limit: 0, project_download_export_limit: 0, project_import_limit: 0 }),
);

/** Sends an archive. */
const send = (
  user: BuiltUser,
  archive: Buffer | null,
  fields: Record<string, string | number | boolean>,
  options = {},
) => app.as(user).raw('POST', '/api/v4/projects/import', importForm(archive, fields, options));

const getStatus = async (user: BuiltUser, id: number) => (await app.as(user).get(`/projects/${id}/import`)).body;

/** An archive of a project as it is. */
async function exported(user: BuiltUser, id: number): Promise<Buffer> {
  await app.as(user).post(`/projects/${id}/export`);
  await app.work();
  return (await steps.download(user, id, {}, 'projects')).bytes;
}

/** A project in a group with everything that an archive includes. */
async function filled() {
  const group = await app.build.group();
  const project = await app.build.projectIn(group, { empty: false });
  const asOwner = app.as(group.owner);
  const base = `/projects/${project.id}`;
  const { body: epic } = await asOwner.post(`/groups/${group.id}/epics`, { title: 'Theme' });
  await asOwner.put(base, {
    description: 'What it is',
    topics: 'one,two',
    squash_option: 'always',
    wiki_access_level: 'disabled',
  });
  await asOwner.post(`${base}/labels`, { name: 'bug', color: '#112233', priority: 3 });
  const { body: milestone } = await asOwner.post(`${base}/milestones`, { title: 'One', due_date: '2030-01-01' });
  await asOwner.post(`${base}/badges`, { link_url: 'https://a.test', image_url: 'https://a.test/i' });
  const { body: board } = await asOwner.post(`${base}/boards`, { name: 'Plan' });
  const { body: label } = await asOwner.get(`${base}/labels/bug`);
  await asOwner.post(`${base}/boards/${board.id}/lists`, { label_id: label.id });
  const { body: issue } = await asOwner.post(`${base}/issues`, {
    title: 'First',
    description: '- [x] done',
    labels: 'bug',
    milestone_id: milestone.id,
    weight: 3,
  });
  await asOwner.post(`/groups/${group.id}/epics/${epic.iid}/issues/${issue.id}`);
  await asOwner.post(`${base}/issues/${issue.iid}/notes`, { body: 'Said' });
  await asOwner.post(`${base}/issues/${issue.iid}/add_spent_time`, { duration: '1h' });
  await asOwner.post(`${base}/issues`, { title: 'Second', confidential: true });
  await asOwner.post(`${base}/issues/1/links`, { target_project_id: project.id, target_issue_iid: 2 });
  await asOwner.put(`${base}/issues/2`, { state_event: 'close' });
  await asOwner.post(`${base}/repository/branches`, { branch: 'side', ref: 'main' });
  await asOwner.post(`${base}/repository/tags`, { tag_name: 'v1', ref: 'main' });
  await asOwner.post(`${base}/protected_branches`, { name: 'release/*', push_access_level: 30, merge_access_level: 0 });
  await asOwner.post(`${base}/protected_tags`, { name: 'v*', create_access_level: 30 });
  const { body: schedule } = await asOwner.post(`${base}/pipeline_schedules`, {
    description: 'Nightly',
    ref: 'main',
    cron: '0 1 * * *',
  });
  await asOwner.post(`${base}/pipeline_schedules/${schedule.id}/variables`, { key: 'SECRET', value: 'never-told' });
  await asOwner.post(`${base}/repository/files/new.txt`, {
    branch: 'side',
    content: 'New\nfile\n',
    commit_message: 'Add',
  });
  const { body: request } = await asOwner.post(`${base}/merge_requests`, {
    source_branch: 'side',
    target_branch: 'main',
    title: 'Draft: Merge it',
    description: 'Because',
    labels: 'bug',
    milestone_id: milestone.id,
  });
  const of = `${base}/merge_requests/${request.iid}`;
  await asOwner.post(`${of}/notes`, { body: 'On all of it' });
  await asOwner.post(`${of}/discussions`, {
    body: 'On a line\n\n```suggestion:-0+0\nOld\n```',
    position: { position_type: 'text', ...request.diff_refs, old_path: 'new.txt', new_path: 'new.txt', new_line: 1 },
  });
  await asOwner.post(`${of}/add_spent_time`, { duration: '2h' });
  await asOwner.post(`${base}/repository/branches`, { branch: 'gone', ref: 'side' });
  await asOwner.post(`${base}/repository/files/gone.txt`, { branch: 'gone', content: 'x', commit_message: 'Lost' });
  const { body: closed } = await asOwner.post(`${base}/merge_requests`, {
    source_branch: 'gone',
    target_branch: 'main',
    title: 'Never mind',
  });
  await asOwner.put(`${base}/merge_requests/${closed.iid}`, { state_event: 'close' });
  await asOwner.delete(`${base}/repository/branches/gone`);
  await asOwner.post(`${base}/environments`, {
    name: 'production',
    external_url: 'https://a.test',
    tier: 'production',
  });
  await asOwner.post(`${base}/environments`, { name: 'review/one', description: 'For a poll' });
  await asOwner.post(`${base}/protected_environments`, {
    name: 'production',
    deploy_access_levels: [{ access_level: 40 }, { access_level: 30 }],
    approval_rules: [{ access_level: 40, required_approvals: 2 }],
  });
  await app.work();
  return { owner: group.owner, project, group };
}

const LEFT = new Set([
  'id',
  'board_id',
  'label_id',
  'milestone_id',
  'project_id',
  'created_at',
  'updated_at',
  'active',
  'variables',
  // The importing user is not an administrator, so users are not mapped.
  'author_id',
  'user_id',
  'closed_by_id',
  'updated_by_id',
  'events',
  'discussion_id',
  'note',
  'user',
  'board',
  'issue_assignees',
  'last_edited_at',
]);

/** The parts of an object that a copy shares. */
function alike(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(alike);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !LEFT.has(name))
      .map(([name, one]) => [name, alike(one)]),
  );
}

// Contract: archives-7.project_import, archives-7.import_relations, archives-7.epics
test('a project goes out and comes in again with its relations and its repository', async (t) => {
  const { owner, project, group } = await filled();
  const archive = await exported(owner, project.id);
  const name = fresh('copy');
  const sent = await send(owner, archive, { path: name, name: 'The copy', namespace: group.full_path });
  t.is(sent.status, 201);
  t.like(sent.body, { name: 'The copy', path: name, import_status: 'scheduled', import_type: 'gitlab_project' });
  const { id } = sent.body;
  t.like((await app.as(owner).get(`/projects/${id}`)).body, { visibility: 'private' });
  await app.work();
  t.like(await getStatus(owner, id), { import_status: 'finished', import_error: null, import_type: 'gitlab_project' });
  const again = await exported(owner, id);
  const [before, after] = [await archiveObjects(archive), await archiveObjects(again)];
  for (const relation of [
    'labels',
    'milestones',
    'project_badges',
    'issues',
    'boards',
    'protected_branches',
    'protected_tags',
    'pipeline_schedules',
    'merge_requests',
    'environments',
    'protected_environments',
  ]) {
    const file = `./tree/project/${relation}.ndjson`;
    t.true((before.get(file) ?? []).length > 0, relation);
    t.deepEqual(alike(after.get(file)), alike(before.get(file)), relation);
  }
  t.deepEqual(after.get('./tree/project.json'), before.get('./tree/project.json'));
  const [first] = after.get('./tree/project/issues.ndjson') as { notes: { note: string }[] }[];
  t.regex(JSON.stringify(first?.notes), /Said\\n\\n\*By .* on .* \(imported\)\*/);
  const [schedule] = after.get('./tree/project/pipeline_schedules.ndjson') ?? [];
  t.like(schedule, { active: false, variables: [] });
  const asOwner = app.as(owner);
  t.deepEqual(
    (await asOwner.get(`/projects/${id}/repository/branches`)).body.map(({ name: one }: { name: string }) => one),
    ['main', 'side'],
  );
  t.is((await asOwner.get(`/projects/${id}/repository/tags/v1`)).status, 200);
  t.is((await asOwner.get(`/projects/${id}`)).body.open_issues_count, 1);
  const stored = await app.services.db.pool.query(
    `select (select count(*) from archive_import_rows r where r.import_id = i.id)::int as rows, i.object_id
       from archive_imports i where i.project_id = $1`,
    [id],
  );
  t.deepEqual(stored.rows, [{ rows: 0, object_id: null }]);
});

async function imported(archive: Buffer, fields = {}) {
  const user = await app.build.user();
  const { body, status } = await send(user, archive, { path: fresh('in'), ...fields });
  await app.work();
  return { user, id: body.id as number, status, importStatus: await getStatus(user, body.id) };
}

// Contract: archives-5.bundles
test('a bundle with a tree that git would not take, or that is damaged, ends the import with a reason', async (t) => {
  const good = await getBundle([]);
  t.is((await imported(sampleProject({ bundle: good }))).importStatus.import_status, 'finished');
  const folder = await mkdtemp(path.join(tmpdir(), 'hostile-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const script = path.join(folder, 'make.sh');
  await writeFile(
    script,
    `set -e; cd "$1"; git init -q -b main r; cd r
     export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@a.test GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@a.test
     blob=$(echo x | git hash-object -w --stdin)
     inner=$(printf '100644 blob %s\\tconfig\\n' $blob | git mktree)
     tree=$(printf '040000 tree %s\\t.git\\n' $inner | git mktree)
     git update-ref refs/heads/main $(git commit-tree -m bad $tree)
     git bundle create -q ../bad.bundle --all`,
  );
  await run('sh', [script, folder]);
  const bad = await imported(sampleProject({ bundle: await readFile(path.join(folder, 'bad.bundle')) }));
  t.like(bad.importStatus, { import_status: 'failed' });
  t.regex(bad.importStatus.import_error, /damaged, or holds what no repository may/);
  t.is((await app.as(bad.user).get(`/projects/${bad.id}/repository/branches`)).body.length, 0);
  const cut = await imported(sampleProject({ bundle: good.subarray(0, good.length - 30) }));
  t.like(cut.importStatus, { import_status: 'failed' });
});

// Contract: archives-5.bundles
test('a bundle of many pieces is taken as a whole', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'large-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const content = randomBytes(2_000_000);
  await writeFile(path.join(folder, 'large.bin'), content);
  await run('sh', [
    '-c',
    `set -e; cd "$1"; git init -q -b main r; mv large.bin r/; cd r; git add large.bin
     git -c user.name=a -c user.email=a@a.test commit -q -m large; git bundle create -q ../large.bundle --all`,
    'sh',
    folder,
  ]);
  const bundle = await readFile(path.join(folder, 'large.bundle'));
  const { importStatus, id, user } = await imported(sampleProject({ bundle }));
  t.like(importStatus, { import_status: 'finished', import_error: null });
  const response = await fetch(`${app.url}/api/v4/projects/${id}/repository/files/large.bin/raw?ref=main`, {
    headers: { 'PRIVATE-TOKEN': user.token },
  });
  t.true(Buffer.from(await response.arrayBuffer()).equals(content));
});

test('branches that are called like a commit are left out of what comes in', async (t) => {
  const bundle = await getBundle([['update-ref', `refs/heads/${'a'.repeat(40)}`, 'HEAD']]);
  const { importStatus, id, user } = await imported(sampleProject({ bundle }));
  t.is(importStatus.import_status, 'finished');
  t.regex(importStatus.import_error, /Left out: refs\/heads\/a{40}/);
  t.deepEqual(
    (await app.as(user).get(`/projects/${id}/repository/branches`)).body.map(({ name }: { name: string }) => name),
    ['main'],
  );
});

// Contract: archives-7.import_failed
test('an archive that is broken leaves the project, with the reason for its Maintainers', async (t) => {
  const whole = sampleProject({ relations: { labels: [{ id: 1, title: 'a', color: '#112233' }] } });
  for (const [archive, reason] of [
    [sampleProject({ attributes: null }), /The import file is incompatible \(tree\/project\.json\)/],
    [whole.subarray(0, whole.length - 20), /./],
    [Buffer.from('not gzip at all'), /./],
  ] as const) {
    const { importStatus, user, id } = await imported(archive);
    t.is(importStatus.import_status, 'failed');
    t.regex(importStatus.import_error, reason);
    t.is((await app.as(user).get(`/projects/${id}`)).body.import_status, 'failed');
  }
});

test('rows that break the rules are left out, and nothing arrives that is a secret or a right', async (t) => {
  const { importStatus, id, user } = await imported(
    sampleProject({
      attributes: {
        visibility_level: 20,
        settings: { runners_token: 'x', squash_option: 'nonsense', jobs_enabled: 7 },
      },
      relations: {
        issues: [
          { id: 1, iid: 7, title: 'Kept', __proto__x: 1, issue_links: [{ target_iid: 7, link_type: 'relates_to' }] },
          { id: 2, iid: 7, title: 'Another number', notes: [{ id: 1, note: 'Hi', author: { name: '*x*' } }] },
          { id: 3, iid: 8, title: ' ' },
          { id: 4, iid: 'x', title: 'Bad' },
        ],
        project_members: [{ id: 1, access_level: 50, user_id: 1, user: { public_email: 'root@example.com' } }],
        pipeline_schedules: [
          { id: 1, description: 'No', ref: 'main', cron: 'nonsense', cron_timezone: 'UTC', active: true },
          { id: 2, description: 'Yes', ref: 'main', cron: '0 1 * * *', cron_timezone: 'UTC', active: true },
          { id: 3, description: 'Odd', ref: 'main', cron: '0 1 * * *', cron_timezone: 'UTC', missed_policy: 'weekly' },
        ],
      },
    }),
  );
  t.is(importStatus.import_status, 'finished');
  t.regex(JSON.stringify(importStatus.failed_relations), /missed_policy is none of the known values/);
  const asUser = app.as(user);
  const { body: issues } = await asUser.get(`/projects/${id}/issues?order_by=created_at&sort=asc`);
  t.deepEqual(issues.map(({ iid, title }: { iid: number; title: string }) => [iid, title]).sort(), [
    [7, 'Kept'],
    [8, 'Another number'],
  ]);
  t.is((await asUser.get(`/projects/${id}/members`)).body.length, 1);
  t.deepEqual(
    (await asUser.get(`/projects/${id}/pipeline_schedules`)).body.map(
      (one: { description: string; active: boolean; owner: { id: number } }) => [
        one.description,
        one.active,
        one.owner.id,
      ],
    ),
    [['Yes', false, user.id]],
  );
  t.is((await asUser.post(`/projects/${id}/issues`, { title: 'Next' })).body.iid, 9);
});

// Contract: archives-7.import_params
test('override_params go before the settings of the archive, and overwrite has another project give way', async (t) => {
  const user = await app.build.user();
  const archive = sampleProject({ attributes: { visibility_level: 20, description: 'Archived' } });
  const fields = {
    path: fresh('over'),
    'override_params[description]': 'Mine',
    'override_params[visibility]': 'internal',
  };
  const { body: first } = await send(user, archive, fields);
  await app.work();
  t.like((await app.as(user).get(`/projects/${first.id}`)).body, { description: 'Mine', visibility: 'internal' });
  t.is((await send(user, archive, fields)).status, 400);
  const again = await send(user, archive, { ...fields, overwrite: true });
  t.is(again.status, 201);
  t.not(again.body.id, first.id);
  t.truthy((await app.as(user).get(`/projects/${first.id}`)).body.marked_for_deletion_on);
});

// Contract: archives-7.import_rights
test('rights, parameters, and names of files are asked in the order of the contract', async (t) => {
  const group = await app.build.group({ visibility: 'private' });
  const added = async (access_level: number) => {
    const user = await app.build.user();
    await app.as(group.owner).post(`/groups/${group.id}/members`, { user_id: user.id, access_level });
    return user;
  };
  const [developer, maintainer] = [await added(30), await added(40)];
  const stranger = await app.build.user();
  const archive = sampleProject({});
  const form = { path: 'x', namespace: group.full_path };
  t.is((await app.anonymous.raw('POST', '/api/v4/projects/import', importForm(archive, form))).status, 401);
  const unseen = await send(stranger, archive, form);
  t.deepEqual([unseen.status, unseen.body], [404, { message: '404 Namespace Not Found' }]);
  for (const fileFirst of [true, false]) t.is((await send(developer, archive, form, { fileFirst })).status, 403);
  t.deepEqual((await send(maintainer, null, { namespace: group.id })).body, {
    error: 'path is missing, file is missing',
  });
  t.is((await send(maintainer, archive, form, { filename: 'a.zip' })).status, 422);
  const response = await send(maintainer, archive, form, { fileFirst: true });
  t.is(response.status, 201);
  t.is((await send(maintainer, archive, form)).status, 400);
  await app.as(group.owner).delete(`/groups/${group.id}/members/${maintainer.id}`);
  await app.work();
  const { import_status, import_error } = await getStatus(group.owner, response.body.id);
  t.is(import_status, 'failed');
  t.regex(import_error, /may not change the project any more/);
});
