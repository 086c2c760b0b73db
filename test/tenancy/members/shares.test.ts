import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import type { Answer } from '../../core/client.js';

const app = useApp(test);

const roles = (answer: Answer) =>
  Object.fromEntries(
    (answer.body as { id: number; access_level: number }[]).map((member) => [member.id, member.access_level]),
  ) as Record<number, number>;

/** Group A with a subgroup and a project in that, and group B with a parent, each with members of its own. */
async function sandbox() {
  const owner = await app.build.user();
  const a = await app.build.group({ owner });
  const sub = await app.build.group({ owner, parent: a });
  const project = await app.build.projectIn({ ...sub, owner });
  const top = await app.build.group({ owner });
  const b = await app.build.group({ owner, parent: top });
  const inherited = await app.build.groupMember(top, 'maintainer');
  const member = await app.build.groupMember(b, 'maintainer');
  const guest = await app.build.groupMember(b, 'guest');
  const shareGroup = (body: object = {}, by: BuiltUser = owner, group: { id: number } = a) =>
    app.as(by).post(`/groups/${group.id}/share`, { group_id: b.id, group_access: 30, ...body });
  const shareProject = (body: object = {}, by: BuiltUser = owner) =>
    app.as(by).post(`/projects/${project.id}/share`, { group_id: b.id, group_access: 30, ...body });
  const all = async (of: 'groups' | 'projects', id: number) =>
    roles(await app.as(owner).get(`/${of}/${id}/members/all`));
  return { owner, a, sub, project, top, b, inherited, member, guest, shareGroup, shareProject, all };
}

// Contract: core-3.share
test('sharing a group answers its details, with the group that it is shared with', async (t) => {
  const { a, b, shareGroup } = await sandbox();
  const { status, body } = await shareGroup({ expires_at: '2030-06-01' });
  t.is(status, 201);
  t.is(body.id, a.id);
  t.deepEqual(body.shared_with_groups, [
    {
      group_id: b.id,
      group_name: b.name,
      group_full_path: b.full_path,
      group_access_level: 30,
      expires_at: '2030-06-01',
    },
  ]);
});

// Contract: core-4.shares
test("direct members of an invited group have their role in the group and below it, at most the share's level", async (t) => {
  const { a, sub, project, member, guest, inherited, shareGroup, all } = await sandbox();
  t.is((await app.as(member).get(`/projects/${project.id}`)).status, 404);
  await shareGroup();
  for (const [kind, id] of [
    ['groups', a.id],
    ['groups', sub.id],
    ['projects', project.id],
  ] as const) {
    t.like(await all(kind, id), { [member.id]: 30, [guest.id]: 10 });
    t.is((await app.as(member).get(`/${kind}/${id}`)).status, 200);
    t.is((await app.as(inherited).get(`/${kind}/${id}`)).status, 404, 'an inherited member of the invited group');
    t.false(inherited.id in (await all(kind, id)));
  }
  // The project has no branch yet, so users who may create schedules get 400.
  const schedule = { description: 'Nightly', ref: 'main', cron: '0 1 * * *' };
  t.is((await app.as(member).post(`/projects/${project.id}/pipeline_schedules`, schedule)).status, 400);
  t.is((await app.as(guest).post(`/projects/${project.id}/pipeline_schedules`, schedule)).status, 403);
});

// Contract: core-5.share
test('sharing a project answers the share, and direct and inherited members of the group have roles in it', async (t) => {
  const { project, b, member, guest, inherited, shareProject, all, sub } = await sandbox();
  const { status, body } = await shareProject();
  t.is(status, 201);
  t.deepEqual(Object.keys(body), ['id', 'project_id', 'group_id', 'group_access', 'expires_at']);
  t.like(body, { project_id: project.id, group_id: b.id, group_access: 30, expires_at: null });
  t.like(await all('projects', project.id), { [member.id]: 30, [guest.id]: 10, [inherited.id]: 30 });
  const one = await app.as(inherited).get(`/projects/${project.id}/members/all/${member.id}`);
  t.is(one.body.access_level, 30);
  // The way to the project is open, its group is not.
  t.is((await app.as(member).get(`/groups/${sub.id}`)).status, 200);
  t.is((await app.as(member).get(`/groups/${sub.id}/members`)).status, 403);
});

test('members of a group that is invited to an invited group have a role in the project [unverified]', async (t) => {
  const { project, top, owner, shareProject, all } = await sandbox();
  const other = await app.build.group({ owner });
  const far = await app.build.groupMember(other, 'owner');
  await app.as(owner).post(`/groups/${top.id}/share`, { group_id: other.id, group_access: 20 });
  await shareProject();
  t.is((await all('projects', project.id))[far.id], 20);
  t.is((await app.as(far).get(`/projects/${project.id}`)).status, 200);
});

// Contract: core-4.shares
test('shared projects and groups are in the lists of the invited members', async (t) => {
  const { a, sub, project, member, shareGroup } = await sandbox();
  const projects = async () => ((await app.as(member).get('/projects')).body as { id: number }[]).map(({ id }) => id);
  const groups = async (query: string) =>
    ((await app.as(member).get(`/groups?per_page=100&${query}`)).body as { id: number }[]).map(({ id }) => id);
  t.false((await projects()).includes(project.id));
  await shareGroup();
  t.true((await projects()).includes(project.id));
  for (const query of ['all_available=false', 'min_access_level=30']) {
    const listed = await groups(query);
    t.true(listed.includes(a.id) && listed.includes(sub.id), query);
  }
  t.false((await groups('min_access_level=40')).includes(a.id));
});

test('minimal access to a group gives nothing in what the group is invited to', async (t) => {
  const { project, b, shareProject } = await sandbox();
  const minimal = await app.build.groupMember(b, 'minimal');
  await shareProject();
  t.is((await app.as(minimal).get(`/projects/${project.id}`)).status, 404);
});

// Contract: core-4.shares
test('a share ends on its day, is not shown any more, and may be given again', async (t) => {
  const { a, owner, member, project, shareGroup } = await sandbox();
  const expired = await app.build.group({ owner });
  await app.build.groupMember(expired, 'owner', member);
  await app.context().query(sql`
    insert into group_shares (namespace_id, group_id, group_access, expires_on, created_at)
    values (${a.id}, ${expired.id}, 30, '2030-01-01', ${app.clock.now()})`);
  t.is((await app.as(member).get(`/projects/${project.id}`)).status, 404);
  t.deepEqual((await app.as(owner).get(`/groups/${a.id}`)).body.shared_with_groups, []);
  t.is((await app.as(owner).delete(`/groups/${a.id}/share/${expired.id}`)).status, 404);
  t.is((await shareGroup({ group_id: expired.id })).status, 201);
  t.is((await app.as(member).get(`/projects/${project.id}`)).status, 200);
});

// Contract: core-3.share
test('bad parameters of a share are told, and nothing is shared', async (t) => {
  const { a, owner, shareGroup, shareProject } = await sandbox();
  for (const share of [shareGroup, shareProject]) {
    t.deepEqual((await share({ group_access: 5 })).body, { error: 'group_access does not have a valid value' });
    t.deepEqual((await share({ group_access: 60 })).body, { error: 'group_access does not have a valid value' });
    t.deepEqual((await share({ group_access: 'high' })).body, { error: 'group_access is invalid' });
    t.deepEqual((await share({ group_id: 'x' })).body, { error: 'group_id is invalid' });
    t.deepEqual((await share({ expires_at: 'soon' })).body, { error: 'expires_at is invalid' });
    for (const expires_at of ['2029-12-31', '2030-01-01']) {
      const past = await share({ expires_at });
      t.is(past.status, 400);
      t.deepEqual(past.body, { message: { expires_at: ['cannot be a date in the past'] } });
    }
  }
  const missing = await app.as(owner).post(`/groups/${a.id}/share`, {});
  t.deepEqual(missing.body, {
    error: 'group_id is missing, group_access is missing, group_access does not have a valid value',
  });
  t.deepEqual((await app.as(owner).get(`/groups/${a.id}`)).body.shared_with_groups, []);
});

// Contract: core-3.share
test('a group that is missing or invisible is 404, one that is shared already 409', async (t) => {
  const { shareGroup, shareProject } = await sandbox();
  const foreign = await app.build.group();
  for (const share of [shareGroup, shareProject]) {
    for (const group_id of [foreign.id, 99_999_999]) {
      const { status, body } = await share({ group_id });
      t.is(status, 404);
      t.deepEqual(body, { message: '404 Group Not Found' });
    }
    t.is((await share()).status, 201);
    t.is((await share()).status, 409);
  }
});

// Contract: core-3.share
test('of several shares with one group at the same time one is 201 and the others 409', async (t) => {
  const { shareGroup, shareProject } = await sandbox();
  for (const share of [shareGroup, shareProject]) {
    const answers = await Promise.all([1, 2, 3].map(() => share()));
    t.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  }
});

test('a project or group is not shared with a group that it lies in, nor a group with itself [unverified]', async (t) => {
  const { a, sub, shareGroup, shareProject, owner } = await sandbox();
  t.is((await shareGroup({ group_id: a.id })).status, 409);
  t.is((await shareGroup({ group_id: a.id }, owner, sub)).status, 409);
  for (const group of [a, sub]) {
    const { status, body } = await shareProject({ group_id: group.id });
    t.is(status, 409);
    t.is(body.message, 'Project cannot be shared with the group it is in or one of its ancestors.');
  }
  t.is((await shareGroup({ group_id: sub.id })).status, 201, 'downwards');
});

// Contract: core-3.share
test('Owners share groups, Maintainers share projects, strangers know of neither', async (t) => {
  const { a, b, project, shareGroup, shareProject } = await sandbox();
  const in_b = async (user: BuiltUser) => app.build.groupMember(b, 'guest', user);
  const maintainer = await in_b(await app.build.groupMember(a, 'maintainer'));
  const developer = await in_b(await app.build.groupMember(a, 'developer'));
  const stranger = await in_b(await app.build.user());
  t.is((await shareGroup({}, maintainer)).status, 403);
  t.is((await shareProject({}, developer)).status, 403);
  t.is((await shareGroup({}, stranger)).status, 404);
  t.is((await shareProject({}, stranger)).status, 404);
  t.is((await shareProject({}, maintainer)).status, 201);
  t.is((await app.as(developer).delete(`/projects/${project.id}/share/${b.id}`)).status, 403);
  t.is((await app.as(maintainer).delete(`/projects/${project.id}/share/${b.id}`)).status, 204);
});

// Contract: core-5.share
test('a Maintainer neither makes Owners of a project by a share nor ends a share that does', async (t) => {
  const { a, b, project, shareProject } = await sandbox();
  const maintainer = await app.build.groupMember(b, 'guest', await app.build.groupMember(a, 'maintainer'));
  t.is((await shareProject({ group_access: 50 }, maintainer)).status, 403);
  t.is((await shareProject({ group_access: 50 })).status, 201);
  t.is((await app.as(maintainer).delete(`/projects/${project.id}/share/${b.id}`)).status, 403);
});

// Contract: core-5.share
test('a project is shared only with groups that one belongs to', async (t) => {
  const { project, shareProject, owner } = await sandbox();
  const open = await app.build.group({ visibility: 'public' });
  t.is((await shareProject({ group_id: open.id })).status, 404);
  await app.build.groupMember(open, 'guest', owner);
  t.is((await shareProject({ group_id: open.id })).status, 201);
  t.is((await app.as(open.owner).get(`/projects/${project.id}`)).status, 200);
});

// Contract: core-3.unshare, core-5.unshare
test('ending a share takes the roles away, and is 404 where there is none', async (t) => {
  const { a, b, owner, member, project, shareGroup, shareProject } = await sandbox();
  for (const [kind, id, share] of [
    ['groups', a.id, shareGroup],
    ['projects', project.id, shareProject],
  ] as const) {
    await share();
    t.is((await app.as(member).get(`/projects/${project.id}`)).status, 200);
    const { status, text } = await app.as(owner).delete(`/${kind}/${id}/share/${b.id}`);
    t.is(status, 204);
    t.is(text, '');
    t.is((await app.as(member).get(`/projects/${project.id}`)).status, 404);
    const again = await app.as(owner).delete(`/${kind}/${id}/share/${b.id}`);
    t.is(again.status, 404);
    t.deepEqual(again.body, { message: '404 Group Link Not Found' });
  }
});

// Contract: core-3.unshare, core-5.unshare
test('of two who end a share at once one is told that it is gone, and the log says it once', async (t) => {
  const { a, b, owner, project, shareGroup, shareProject } = await sandbox();
  for (const [kind, id, share] of [
    ['groups', a.id, shareGroup],
    ['projects', project.id, shareProject],
  ] as const) {
    await share();
    const answers = await Promise.all([1, 2].map(() => app.as(owner).delete(`/${kind}/${id}/share/${b.id}`)));
    t.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 404]);
    const { body: events } = await app.as(owner).get(`/${kind}/${id}/audit_events`);
    const ends = events.filter(({ event_name }: { event_name: string }) => event_name.endsWith('_group_link_deleted'));
    t.is(ends.length, 1);
  }
});

// Contract: core-3.unshare
test('a share that was made after If-Unmodified-Since is not ended', async (t) => {
  const { a, b, owner, shareGroup } = await sandbox();
  await shareGroup();
  const early = app.as(owner).with({ 'If-Unmodified-Since': 'Mon, 31 Dec 2029 00:00:00 GMT' });
  t.is((await early.delete(`/groups/${a.id}/share/${b.id}`)).status, 412);
  t.is((await app.as(owner).delete(`/groups/${a.id}/share/${b.id}`)).status, 204);
});

// Contract: core-3.share-settings
test('a group that locks sharing shares its projects with nobody, and shares from before give nothing', async (t) => {
  const { sub, owner, member, project, shareProject, all } = await sandbox();
  await shareProject();
  await app.as(owner).put(`/groups/${sub.id}`, { share_with_group_lock: true });
  t.is((await app.as(member).get(`/projects/${project.id}`)).status, 404);
  t.false(member.id in (await all('projects', project.id)));
  const other = await app.build.group({ owner });
  const { status, body } = await shareProject({ group_id: other.id });
  t.is(status, 400);
  t.deepEqual(body, { message: 'The project sharing with group is disabled' });
});

test('in a subgroup prevent_sharing_groups_outside_hierarchy is ignored, also once it is at the top', async (t) => {
  const { owner, sub, shareGroup } = await sandbox();
  const put = (prevent_sharing_groups_outside_hierarchy: boolean) =>
    app.as(owner).put(`/groups/${sub.id}`, { prevent_sharing_groups_outside_hierarchy });
  t.is((await put(true)).status, 200);
  const moved = await app.as(owner).post(`/groups/${sub.id}/transfer`);
  t.is(moved.body.prevent_sharing_groups_outside_hierarchy, false);
  t.is((await shareGroup({}, owner, sub)).status, 201);
});

// Contract: core-3.share-settings
test('a top-level group may keep shares within its tree', async (t) => {
  const { a, owner, shareGroup, shareProject } = await sandbox();
  await app.as(owner).put(`/groups/${a.id}`, { prevent_sharing_groups_outside_hierarchy: true });
  t.is((await shareGroup()).status, 404);
  t.is((await shareProject()).status, 404);
  const beside = await app.build.group({ owner, parent: a });
  t.is((await shareProject({ group_id: beside.id })).status, 201);
});

// Contract: core-3.shared-with
test('invited groups are told to Owners, and to others as far as they may read them', async (t) => {
  const { a, b, project, guest, owner, shareGroup, shareProject } = await sandbox();
  await app.as(owner).put(`/groups/${b.id}`, { visibility: 'private' });
  const reader = await app.build.groupMember(a, 'guest');
  await shareGroup();
  await shareProject();
  const listGroupIds = async (user: BuiltUser) =>
    ((await app.as(user).get(`/groups/${a.id}`)).body.shared_with_groups as { group_id: number }[]).map(
      ({ group_id }) => group_id,
    );
  t.deepEqual(await listGroupIds(owner), [b.id]);
  t.deepEqual(await listGroupIds(guest), [b.id]);
  t.deepEqual(await listGroupIds(reader), []);
  const inProject = async (user: BuiltUser) =>
    ((await app.as(user).get(`/projects/${project.id}`)).body.shared_with_groups as { group_id: number }[]).map(
      ({ group_id }) => group_id,
    );
  t.deepEqual(await inProject(owner), [b.id]);
  t.deepEqual(await inProject(reader), []);
});

// Contract: core-3.shared-with
test('a group lists up to a hundred of the projects that are shared with it', async (t) => {
  const { b, owner, member, project, shareProject } = await sandbox();
  await shareProject();
  for (const user of [owner, member])
    t.deepEqual(
      ((await app.as(user).get(`/groups/${b.id}`)).body.shared_projects as { id: number }[]).map(({ id }) => id),
      [project.id],
    );
  t.false('shared_projects' in (await app.as(owner).get(`/groups/${b.id}?with_projects=false`)).body);
});

// Contract: core-3.audit
test('shares are told in the audit events of what is shared', async (t) => {
  const { a, b, project, owner, shareGroup, shareProject } = await sandbox();
  await shareGroup();
  await shareProject();
  await app.as(owner).delete(`/groups/${a.id}/share/${b.id}`);
  const events = await app.context().query<{ event_name: string; entity_id: number; target_details: string }>(sql`
    select e.event_name, e.entity_id, e.target_details from audit_events e
     where e.author_id = ${owner.id} and e.target_id = ${b.id} and e.event_name like '%link%' order by e.id`);
  t.deepEqual(events, [
    { event_name: 'group_group_link_created', entity_id: a.id, target_details: b.full_path },
    { event_name: 'project_group_link_created', entity_id: project.id, target_details: b.full_path },
    { event_name: 'group_group_link_deleted', entity_id: a.id, target_details: b.full_path },
  ]);
});

// Contract: protected-tags-3.group
test('a rule over refs names a group that the project is shared with, until the share ends', async (t) => {
  const { a, b, owner, project, shareGroup, shareProject } = await sandbox();
  const path = `/projects/${project.id}/protected_tags`;
  const protect = () => app.as(owner).post(path, { name: 'v*', allowed_to_create: [{ group_id: b.id }] });
  const sharedGroups = async () =>
    ((await app.as(owner).get(`${path}/v*`)).body.create_access_levels as { group_id: number }[]).map(
      ({ group_id }) => group_id,
    );
  t.is((await protect()).status, 422);
  await shareProject();
  await shareGroup();
  t.is((await protect()).status, 201);
  await app.as(owner).delete(`/projects/${project.id}/share/${b.id}`);
  t.deepEqual(await sharedGroups(), [b.id], 'a group above still shares with it');
  await app.as(owner).delete(`/groups/${a.id}/share/${b.id}`);
  t.deepEqual(await sharedGroups(), []);
});

// Contract: protected-tags-3.group
test('an entry of a group admits nobody once its share has expired', async (t) => {
  const { b, owner, sub, member } = await sandbox();
  const project = await app.build.projectIn({ ...sub, owner }, { empty: false });
  await app.build.member(project, 'developer', member);
  await app.as(owner).post(`/projects/${project.id}/share`, { group_id: b.id, group_access: 30 });
  await app.as(owner).post(`/projects/${project.id}/protected_tags`, {
    name: '*',
    create_access_level: 0,
    allowed_to_create: [{ group_id: b.id }],
  });
  const tag = (tag_name: string) =>
    app.as(member).post(`/projects/${project.id}/repository/tags`, { tag_name, ref: 'main' });
  t.is((await tag('v1')).status, 201);
  await app.context().query(sql`update project_shares set expires_on = '2030-01-01' where project_id = ${project.id}`);
  t.is((await tag('v2')).status, 400);
});
