import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { importForm } from './sample-archive.js';
import { refsIn } from '../../repositories/git-http/push-client.js';
import { getBundle } from './bundle-of.js';
import { sampleProject } from './project-sample.js';

const app = useApp(test);
let number = 0;

test.before('let tests ask as often as they like', () => app.set({ project_import_limit: 0 }));

const send = async (user: BuiltUser, archive: Buffer) => {
  const form = importForm(archive, { path: `restored-${user.id}-${(number += 1)}` });
  const { body } = await app.as(user).raw('POST', '/api/v4/projects/import', form);
  return body.id as number;
};

const getStatus = async (user: BuiltUser, id: number) => (await app.as(user).get(`/projects/${id}/import`)).body;

async function imported(relations: Record<string, Record<string, unknown>[]>, user?: BuiltUser, bundle?: Buffer) {
  const importer = user ?? (await app.build.user());
  const id = await send(importer, sampleProject({ relations, ...(bundle ? { bundle } : {}) }));
  await app.work();
  return { user: importer, id, importStatus: await getStatus(importer, id) };
}

const request = (iid: number, more: Record<string, unknown> = {}) => ({
  id: iid,
  iid,
  title: `Request ${iid}`,
  state: 'opened',
  source_branch: 'side',
  target_branch: 'main',
  source_is_target: true,
  ...more,
});

// Contract: project-imports-7.merge_requests, project-imports-7.failed
test('merge requests keep number and state without their commits, and what is lost is told by file, line and reason', async (t) => {
  const lost = '1'.repeat(40);
  const { user, id, importStatus } = await imported(
    {
      merge_requests: [
        request(4, { merge_request_versions: [{ head_sha: lost, base_sha: lost, start_sha: lost }] }),
        request(5),
        request(6, { state: 'merged', merged_at: '2030-01-01T00:00:00.000Z', source_is_target: false }),
        request(7, { state: 'locked', source_branch: 'other' }),
        request(8, { source_branch: 'main' }),
        request(4, { state: 'closed', notes: [{ id: 1, note: 'Hi', type: 'DiffNote', author: { name: 'Ann' } }] }),
      ],
    },
    undefined,
    await getBundle([]),
  );
  t.like(importStatus, { import_status: 'finished', import_error: null, failures_count: 3 });
  const asUser = app.as(user);
  const { body: all } = await asUser.get(`/projects/${id}/merge_requests?order_by=created_at&sort=asc`);
  const summaries = all.map((one: { iid: number; state: string; source_project_id: number | null }) => [
    one.iid,
    one.state,
    one.source_project_id,
  ]);
  t.deepEqual(
    summaries.toSorted(([a]: number[], [b]: number[]) => (a ?? 0) - (b ?? 0)),
    [
      [4, 'opened', id],
      [6, 'merged', null],
      [7, 'opened', id],
      [8, 'closed', id],
    ],
  );
  const [thread] = (await asUser.get(`/projects/${id}/merge_requests/8/discussions`)).body;
  const [note] = thread.notes;
  t.like(note, { type: 'DiscussionNote', imported_from: 'gitlab_project' });
  t.regex(note.body, /^Hi\n\n\*By Ann on .* \(imported\)\*$/);
  const file = 'tree/project/merge_requests.ndjson';
  t.deepEqual(
    importStatus.failed_relations.map((one: Record<string, unknown>) => [
      one.source,
      one.line_number,
      one.exception_message,
    ]),
    [
      [file, 5, "source_branch can't be the same as the target branch"],
      [file, 1, 'one version cannot be restored, since the repository of the archive lacks their commits'],
      [file, 2, 'is left out, since another open one of the archive has the same branches'],
    ],
  );
  t.is(importStatus.stats.fetched.merge_requests, 6);
  t.is(importStatus.stats.imported.merge_requests, 4);
  const stranger = await app.build.user();
  t.is((await app.as(stranger).get(`/projects/${id}/import`)).status, 404);
});

// Contract: project-imports-7.environments
test('environments come back by the rules for new ones, and approvals of others become those of Maintainers', async (t) => {
  const { user, id, importStatus } = await imported({
    environments: [
      { id: 1, name: 'production', slug: 'production', state: 'stopping', tier: 'production' },
      { id: 2, name: 'production', slug: 'production-2' },
      { id: 3, name: 'prod live', slug: 'production', external_url: 'https://a.test' },
      { id: 4, name: '/bad', slug: 'bad' },
    ],
    protected_environments: [
      {
        id: 1,
        name: 'production',
        deploy_access_levels: [{ access_level: 30 }],
        approval_rules: [{ access_level: null, required_approvals: 2 }],
      },
      { id: 2, name: 'staging', deploy_access_levels: [] },
    ],
  });
  const asUser = app.as(user);
  const { body: environments } = await asUser.get(`/projects/${id}/environments?order_by=id&sort=asc`);
  t.is(environments.length, 2);
  const found = Map.groupBy(environments as { name: string; state: string; slug: string }[], ({ name }) => name);
  t.like(found.get('production')?.[0], { state: 'stopped', slug: 'production' });
  t.like(found.get('prod live')?.[0], { state: 'available' });
  t.regex(found.get('prod live')?.[0]?.slug ?? '', /^production-[a-z0-9]{6}$/);
  t.is(importStatus.failed_relations.length, 2);
  const { body: production } = await asUser.get(`/projects/${id}/protected_environments/production`);
  t.like(production, {
    deploy_access_levels: [{ access_level: 30 }],
    approval_rules: [{ access_level: 40, required_approvals: 2 }],
  });
  const { body: staging } = await asUser.get(`/projects/${id}/protected_environments/staging`);
  t.like(staging, { deploy_access_levels: [{ access_level: 40 }] });
});

// Contract: project-imports-7.people
test('administrators bring authors and members along by their confirmed addresses, and nobody else does', async (t) => {
  const confirmed = await app.build.user();
  const { rows } = await app.services.db.pool.query<{ email: string }>(
    'update users set confirmed_at = now() where id = $1 returning email',
    [confirmed.id],
  );
  const email = rows[0]?.email;
  const relations = {
    user_contributions: [{ id: 900, public_email: email, username: 'elsewhere', name: 'Else' }],
    project_members: [
      { id: 1, access_level: 30, user_id: 901, user: { id: 901, public_email: email, username: 'elsewhere' } },
    ],
    issues: [{ id: 1, iid: 1, title: 'One', author_id: 900, events: [{ action: 'created', author_id: 900 }] }],
  };
  const byAdmin = await imported(relations, await app.build.admin());
  const { body: issue } = await app.as(byAdmin.user).get(`/projects/${byAdmin.id}/issues/1`);
  t.is(issue.author.id, confirmed.id);
  const { body: members } = await app.as(byAdmin.user).get(`/projects/${byAdmin.id}/members`);
  t.true(
    members.some((one: { id: number; access_level: number }) => one.id === confirmed.id && one.access_level === 30),
  );
  const byOther = await imported(relations);
  t.is((await app.as(byOther.user).get(`/projects/${byOther.id}/issues/1`)).body.author.id, byOther.user.id);
  t.is((await app.as(byOther.user).get(`/projects/${byOther.id}/members`)).body.length, 1);
  t.deepEqual(
    byOther.importStatus.failed_relations.map((one: Record<string, unknown>) => [
      one.relation_name,
      one.exception_message,
    ]),
    ['user_contributions', 'project_members'].map((relation) => [
      relation,
      'elsewhere is left out: people are matched only where an administrator imports',
    ]),
  );
});

// Contract: archives-7.people
test('emoji come back in their order, each of a user once, with the time of the first', async (t) => {
  const [one, other] = [await app.build.user(), await app.build.user()];
  const emails = await app.services.db.pool.query<{ id: number; email: string }>(
    'update users set confirmed_at = now() where id = any($1) returning id, email',
    [[one.id, other.id]],
  );
  const emailOf = new Map(emails.rows.map(({ id, email }) => [id, email]));
  const award = (user_id: number, name: string, hour: number) => ({
    user_id,
    name,
    created_at: `2024-01-01T0${hour}:00:00.000Z`,
  });
  const awards = [award(12, 'rocket', 1), award(11, 'tada', 2), award(11, 'heart', 3), award(12, 'rocket', 4)];
  const relations = {
    user_contributions: [
      { id: 11, public_email: emailOf.get(one.id), username: 'one' },
      { id: 12, public_email: emailOf.get(other.id), username: 'other' },
    ],
    issues: [{ id: 1, iid: 1, title: 'One', award_emoji: awards, notes: [{ id: 1, note: 'Hi', award_emoji: awards }] }],
  };
  const { user, id } = await imported(relations, await app.build.admin());
  const asUser = app.as(user);
  const [{ id: note }] = (await asUser.get(`/projects/${id}/issues/1/notes`)).body;
  for (const of of ['', `/notes/${note}`]) {
    const { body } = await asUser.get(`/projects/${id}/issues/1${of}/award_emoji`);
    const found = body.map((emoji: { user: { id: number }; name: string; created_at: string }) => [
      emoji.user.id,
      emoji.name,
      emoji.created_at.slice(11, 13),
    ]);
    t.deepEqual(found, [
      [other.id, 'rocket', '01'],
      [one.id, 'tada', '02'],
      [one.id, 'heart', '03'],
    ]);
  }
});

// Contract: project-imports-7.steps
test('more issues than one step has keep their numbers, and links across steps', async (t) => {
  const issues = Array.from({ length: 2200 }, (_, index) => ({
    id: index + 1,
    iid: index === 0 ? null : 2201 - index,
    title: `Issue ${index}`,
    issue_links: index === 1 ? [{ target_iid: 2, link_type: 'relates_to' }] : [],
  }));
  const { user, id, importStatus } = await imported({ issues });
  t.like(importStatus, { import_status: 'finished', failures_count: 0, stats: { imported: { issues: 2200 } } });
  const asUser = app.as(user);
  t.is((await asUser.get(`/projects/${id}/issues/2200`)).body.title, 'Issue 1');
  // Without a number of its own it comes behind all others.
  t.is((await asUser.get(`/projects/${id}/issues/2201`)).body.title, 'Issue 0');
  t.is((await asUser.get(`/projects/${id}`)).body.open_issues_count, 2200);
  const { body: links } = await asUser.get(`/projects/${id}/issues/2200/links`);
  t.deepEqual(
    links.map(({ iid }: { iid: number }) => iid),
    [2],
  );
});

// Contract: git-http-1.other-refs
test("refs that are neither branches nor tags come with the repository, and not what is the service's own", async (t) => {
  const bundle = await getBundle([
    ['notes', 'add', '-m', 'Released'],
    ['update-ref', 'refs/changes/1/1', 'HEAD'],
    ['update-ref', 'refs/merge-requests/1/head', 'HEAD'],
    ['update-ref', 'refs/pipelines/1', 'HEAD'],
    ['update-ref', 'refs/stash', 'HEAD'],
  ]);
  const { id, importStatus } = await imported({}, undefined, bundle);
  t.like(importStatus, { import_status: 'finished', import_error: null });
  t.deepEqual(Object.keys(await refsIn(app, { id })), ['refs/changes/1/1', 'refs/heads/main', 'refs/notes/commits']);
});
