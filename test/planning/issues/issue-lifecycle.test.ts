import test from 'ava';
import { useApp } from '../../core/app.js';
import { sql } from 'kysely';
import { mergeRequestIn } from '../../merge-requests/merge-request-steps.js';
import { issuesIn } from './issue-steps.js';

const app = useApp(test);

const openIssues = async (project: { id: number; owner: Parameters<typeof app.as>[0] }) =>
  (await app.as(project.owner).get(`/projects/${project.id}`)).body.open_issues_count;

// Contract: core-6.counts
test('the open issues of a project are those of a recount, whatever happened at once', async (t) => {
  const { project, owner, path, make } = await issuesIn(app);
  for (let count = 0; count < 6; count += 1) await make({ confidential: count % 2 === 0 });
  const client = app.as(owner);
  await Promise.all(
    Array.from({ length: 60 }, (_one, index) => {
      const one = `${path}/${1 + (index % 6)}`;
      if (index % 10 === 0) return client.post(path, { title: 'new' });
      if (index % 10 === 1) return client.put(one, { confidential: index % 4 === 1, add_labels: 'x,y' });
      return client.put(one, { state_event: index % 3 === 0 ? 'close' : 'reopen', labels: index % 2 ? 'y' : 'x' });
    }),
  );
  await client.delete(`${path}/3`);
  const ctx = app.context();
  const [counted] = await ctx.query<{ opened: number; hidden: number }>(sql`
    select count(*) as "opened", count(*) filter (where i.confidential) as "hidden" from issues i
     where i.project_id = ${project.id} and i.state = 'opened'`);
  t.is(await openIssues(project), counted?.opened);
  const guest = await app.build.member(project, 'guest');
  t.is(
    (await app.as(guest).get(`/projects/${project.id}`)).body.open_issues_count,
    (counted?.opened ?? 0) - (counted?.hidden ?? 0),
  );
  const { body } = await client.graphql(`{ project(fullPath: "${project.full_path}") { openIssuesCount } }`);
  t.is(body.data.project.openIssuesCount, counted?.opened);
});

// Contract: core-6.users
test('issues of a deleted user go to the ghost, and with hard_delete they go', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const { path } = await issuesIn(app, project);
  const admin = app.as(await app.build.admin());
  const [soft, hard] = [await app.build.user(), await app.build.user()];
  for (const user of [soft, hard]) await app.as(user).post(path, { title: 'mine' });
  t.is(await openIssues(project), 2);
  await admin.delete(`/users/${soft.id}`);
  await admin.delete(`/users/${hard.id}?hard_delete=true`);
  await app.work();
  const { body } = await app.as(project.owner).get(path);
  t.deepEqual(
    body.map(({ author }: { author: { name: string } }) => author.name),
    ['Ghost User'],
  );
  t.is(await openIssues(project), 1);
});

// Contract: core-6.transfer
test('a transferred project keeps the labels and milestones of its old groups on its issues', async (t) => {
  const owner = await app.build.user();
  const [from, to] = [await app.build.group({ owner }), await app.build.group({ owner })];
  const project = await app.build.projectIn(from);
  const { make, read, milestone } = await issuesIn(app, project);
  const now = app.clock.now();
  await app.context().query(sql`
    insert into labels (namespace_id, title, color, archived, created_at, updated_at)
    values (${from.id}, 'lost', '#ff0000', false, ${now}, ${now}), (${from.id}, 'both', '#ff0000', false, ${now}, ${now}),
           (${to.id}, 'both', '#00ff00', false, ${now}, ${now})`);
  const [lost, both] = [
    await milestone({ group: from }, { title: 'lost' }),
    await milestone({ group: from }, { title: 'both' }),
  ];
  const other = await milestone({ group: to }, { title: 'both' });
  await make({ labels: 'lost,both', milestone_id: lost });
  await make({ labels: 'both', milestone_id: both });
  const { status } = await app.as(owner).put(`/projects/${project.id}/transfer`, { namespace: to.id });
  t.is(status, 200);
  const [one, two] = [(await read(1)).body, (await read(2)).body];
  t.deepEqual([one.labels, two.labels], [['both', 'lost'], ['both']]);
  t.like(one.milestone, { title: 'lost', project_id: project.id });
  t.is(two.milestone.id, other);
  const rows = await app.context().query<{ project_id: number | null; namespace_id: number | null; title: string }>(sql`
    select distinct l.title as "title", l.project_id as "project_id", l.namespace_id as "namespace_id"
      from issue_labels x join labels l on l.id = x.label_id where x.project_id = ${project.id} order by 1`);
  t.deepEqual(rows, [
    { title: 'both', project_id: null, namespace_id: to.id },
    { title: 'lost', project_id: project.id, namespace_id: null },
  ]);
});

// Contract: core-6.transfer
test('its merge requests too keep what they have of the groups above the old one, in its colour', async (t) => {
  const owner = await app.build.user();
  const above = await app.build.group({ owner });
  const [from, to] = [await app.build.group({ owner, parent: above }), await app.build.group({ owner })];
  const project = await app.build.projectIn(from, { empty: false });
  const as = app.as(owner);
  const label = { name: 'inherited', color: '#112233', description: 'From above' };
  t.is((await as.post(`/groups/${above.id}/labels`, label)).status, 201);
  t.is((await as.post(`/groups/${above.id}/labels`, { ...label, name: 'unused' })).status, 201);
  const request = await mergeRequestIn(app, { id: project.id, owner }, { labels: 'inherited' });
  t.is((await as.put(`/projects/${project.id}/transfer`, { namespace: to.id })).status, 200);
  t.deepEqual((await as.get(`/projects/${project.id}/merge_requests/${request.iid}`)).body.labels, ['inherited']);
  const { body } = await as.get(`/projects/${project.id}/labels`);
  t.is(body.length, 1, 'what nothing has stays behind');
  t.like(body[0], { ...label, is_project_label: true });
  t.is((await as.get(`/groups/${above.id}/labels`)).body.length, 2);
});

// Contract: core-6.unassign
test('who is removed from a project keeps issues there unless unassign_issuables says otherwise', async (t) => {
  for (const unassign of [false, true]) {
    const { project, owner, make, read } = await issuesIn(app);
    const member = await app.build.member(project, 'developer');
    await make({ assignee_ids: [member.id] });
    const query = unassign ? '?unassign_issuables=true' : '';
    t.is((await app.as(owner).delete(`/projects/${project.id}/members/${member.id}${query}`)).status, 204);
    t.is((await read(1)).body.assignees.length, unassign ? 0 : 1);
  }
});

test('who is removed from a group keeps issues of its projects unless unassign_issuables says otherwise', async (t) => {
  for (const unassign of [false, true]) {
    const group = await app.build.group();
    const { make, read } = await issuesIn(app, await app.build.projectIn(group));
    const member = await app.build.groupMember(group, 'developer');
    await make({ assignee_ids: [member.id] });
    const query = unassign ? '?unassign_issuables=true' : '';
    t.is((await app.as(group.owner).delete(`/groups/${group.id}/members/${member.id}${query}`)).status, 204);
    t.is((await read(1)).body.assignees.length, unassign ? 0 : 1);
  }
});

// Contract: core-6.removal
test('a removed project takes its issues along', async (t) => {
  const { project, make, owner } = await issuesIn(app);
  const { id } = await make({ labels: 'a', assignee_ids: [owner.id] });
  await app.as(owner).delete(`/projects/${project.id}`);
  const marked = (await app.as(owner).get(`/projects/${project.id}`)).body;
  await app
    .as(owner)
    .delete(
      `/projects/${project.id}?permanently_remove=true&full_path=${encodeURIComponent(marked.path_with_namespace)}`,
    );
  await app.work();
  const left = await app.context().query(sql`select 1 from issues i where i.id = ${id}`);
  t.deepEqual(left, []);
});

// Contract: core-6.delete
test('a deleted issue is in the audit log', async (t) => {
  const { project, make, path, owner } = await issuesIn(app);
  const { iid, title } = await make();
  await app.as(owner).delete(`${path}/${iid}`);
  const { body } = await app.as(owner).get(`/projects/${project.id}/audit_events`);
  t.like(body[0], { event_name: 'delete_issue', details: { target_details: title, target_type: 'Issue' } });
});
