import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { Answer } from '../../core/client.js';

const app = useApp(test);

const BASIC = [
  'id',
  'description',
  'name',
  'name_with_namespace',
  'path',
  'path_with_namespace',
  'created_at',
  'default_branch',
  'tag_list',
  'topics',
  'ssh_url_to_repo',
  'http_url_to_repo',
  'web_url',
  'readme_url',
  'forks_count',
  'avatar_url',
  'star_count',
  'last_activity_at',
  'visibility',
  'namespace',
];

/** Only for Maintainers and above. */
const CI = [
  'import_url',
  'import_type',
  'import_error',
  'ci_default_git_depth',
  'ci_delete_pipelines_in_seconds',
  'ci_forward_deployment_enabled',
  'ci_forward_deployment_rollback_allowed',
  'ci_job_token_scope_enabled',
  'ci_separated_caches',
  'ci_allow_fork_pipelines_to_run_in_parent_project',
  'ci_id_token_sub_claim_components',
  'build_git_strategy',
  'keep_latest_artifact',
  'restrict_user_defined_variables',
  'ci_pipeline_variables_minimum_override_role',
  'runner_token_expiration_interval',
  'group_runners_enabled',
  'resource_group_default_process_mode',
  'auto_cancel_pending_pipelines',
  'build_timeout',
  'auto_devops_enabled',
  'auto_devops_deploy_strategy',
  'ci_push_repository_for_job_token_allowed',
  'protect_merge_request_pipelines',
  'ci_display_pipeline_variables',
  'runners_token',
];

const keys = ({ body }: Answer) => Object.keys(body as object);

// Contract: interface-2.10.simple, interface-4.10.output
test('anonymous callers get the basic record, alone and in lists', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const one = await app.anonymous.get(`/projects/${project.id}`);
  t.deepEqual(keys(one).toSorted(), BASIC.toSorted());
  const list = await app.anonymous.get('/projects?per_page=100');
  const listed = list.body.find(({ id }: { id: number }) => id === project.id);
  t.deepEqual(Object.keys(listed).toSorted(), BASIC.toSorted());
  const simple = await app.as(project.owner).get('/projects?simple=true&owned=true');
  t.deepEqual(Object.keys(simple.body[0]).toSorted(), BASIC.toSorted());
});

// Contract: interface-2.10.ci, interface-4.10.output
test('the CI block and secrets are for Maintainers, the rest of the record for everybody signed in', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const stranger = await app.build.user();
  const asStranger = keys(await app.as(stranger).get(`/projects/${project.id}`));
  for (const role of ['guest', 'reporter', 'developer'] as const) {
    const member = await app.build.member(project, role);
    const fields = keys(await app.as(member).get(`/projects/${project.id}`));
    t.deepEqual(
      CI.filter((key) => fields.includes(key)),
      [],
      role,
    );
    const more = role === 'guest' ? [] : ['service_desk_address'];
    t.deepEqual(fields.toSorted(), [...asStranger, ...more].toSorted(), role);
  }
  for (const user of [await app.build.member(project, 'maintainer'), project.owner, await app.build.admin()]) {
    const fields = keys(await app.as(user).get(`/projects/${project.id}`));
    t.deepEqual(
      CI.filter((key) => !fields.includes(key)),
      [],
    );
  }
});

// Contract: projects-4.guest
test('a Guest of a private project sees its record without what tells of its code', async (t) => {
  const project = await app.build.project();
  const caller = app.as(await app.build.member(project, 'guest'));
  const one = await caller.get(`/projects/${project.id}?statistics=true&license=true`);
  t.is(one.status, 200);
  const code = [
    'default_branch',
    'readme_url',
    'forks_count',
    'license',
    'license_url',
    'ci_config_path',
    'statistics',
  ];
  t.deepEqual(
    code.filter((key) => key in one.body),
    [],
  );
  t.false(one.body.can_create_merge_request_in);
  t.is((await caller.get(`/projects/${project.id}/languages`)).status, 403);
});

// Contract: interface-2.10.statistics, interface-4.10.get
test('statistics are for Reporters and above who ask, on one project and on lists', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const statisticsFor = async (role: 'guest' | 'reporter') => {
    const caller = app.as(await app.build.member(project, role));
    const one = await caller.get(`/projects/${project.id}?statistics=true`);
    const list = await caller.get('/projects?statistics=true&membership=true');
    t.is(list.body.length, 1);
    return ['statistics' in one.body, 'statistics' in list.body[0]];
  };
  t.deepEqual(await statisticsFor('guest'), [false, false]);
  t.deepEqual(await statisticsFor('reporter'), [true, true]);
  t.false('statistics' in (await app.as(project.owner).get(`/projects/${project.id}`)).body);
});

// Contract: interface-2.10.sharing
test('permissions tell the direct role and the highest one in the groups above, in lists only that of the group itself', async (t) => {
  const group = await app.build.group({ visibility: 'private' });
  const inner = await app.build.group({ parent: group, visibility: 'private' });
  const project = await app.build.projectIn({ ...inner, owner: group.owner });
  const user = await app.build.groupMember(group, 'maintainer');
  await app.build.groupMember(inner, 'maintainer', user);
  await app.build.member(project, 'owner', user);
  await app.build.groupMember(group, 'owner', user);
  const one = await app.as(user).get(`/projects/${project.id}`);
  const role = (access_level: number) => ({ access_level, notification_level: 3 });
  t.deepEqual(one.body.permissions, { project_access: role(50), group_access: role(50) });
  const list = await app.as(user).get('/projects?membership=true');
  t.deepEqual(list.body[0].permissions, { project_access: role(50), group_access: role(40) });
  const admin = await app.build.admin();
  const asAdmin = await app.as(admin).get(`/projects/${project.id}`);
  t.deepEqual(asAdmin.body.permissions, { project_access: null, group_access: null });
  t.false('permissions' in (await app.as(user).put(`/projects/${project.id}`, { description: 'x' })).body);
  t.false('permissions' in (await app.as(user).get(`/groups/${inner.id}/projects`)).body[0]);
});

// Contract: interface-2.10.sharing
test('an expired membership is no permission', async (t) => {
  const group = await app.build.group({ visibility: 'public' });
  const project = await app.build.projectIn(group, { visibility: 'public' });
  const user = await app.build.groupMember(group, 'developer', undefined, '2030-01-01');
  const { body } = await app.as(user).get(`/projects/${project.id}`);
  t.deepEqual(body.permissions, { project_access: null, group_access: null });
});

// Contract: interface-2.10.identity
test('the owner of a personal project is told, of one in a group not', async (t) => {
  const project = await app.build.project();
  const { body } = await app.as(project.owner).get(`/projects/${project.id}`);
  t.like(body.owner, {
    id: project.owner.id,
    name: project.owner.name,
    username: project.owner.username,
    created_at: '2030-01-01T00:00:00.000Z',
  });
  const group = await app.build.group();
  const inGroup = await app.build.projectIn(group);
  t.false('owner' in (await app.as(group.owner).get(`/projects/${inGroup.id}`)).body);
});

// Contract: interface-2.10.urls
test('links name only what the caller may see', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const links = async () => {
    const stranger = await app.build.user();
    return Object.keys((await app.as(stranger).get(`/projects/${project.id}`)).body._links);
  };
  t.deepEqual(await links(), [
    'self',
    'issues',
    'merge_requests',
    'repo_branches',
    'labels',
    'events',
    'members',
    'cluster_agents',
  ]);
  await app
    .as(project.owner)
    .put(`/projects/${project.id}`, { issues_access_level: 'private', merge_requests_enabled: false });
  t.deepEqual(await links(), ['self', 'repo_branches', 'labels', 'events', 'members', 'cluster_agents']);
});

// Contract: interface-2.10.counters, interface-2.10.switches
test('a feature for members only is off for others, with its counter', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  await app
    .as(project.owner)
    .put(`/projects/${project.id}`, { issues_access_level: 'private', wiki_access_level: 'private' });
  const stranger = await app.build.user();
  const outside = await app.as(stranger).get(`/projects/${project.id}`);
  t.like(outside.body, { issues_enabled: false, wiki_enabled: false, issues_access_level: 'private' });
  t.false('open_issues_count' in outside.body);
  const inside = await app.as(await app.build.member(project, 'guest')).get(`/projects/${project.id}`);
  t.like(inside.body, { issues_enabled: true, wiki_enabled: true, open_issues_count: 0 });
});

// Contract: interface-2.10.namespace
test('the namespace of a record is that of its person or group, with its picture', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const inGroup = await app.as(group.owner).get(`/projects/${project.id}`);
  t.deepEqual(inGroup.body.namespace, {
    id: group.id,
    name: group.name,
    path: group.path,
    kind: 'group',
    full_path: group.full_path,
    parent_id: null,
    avatar_url: null,
    web_url: `http://capstan.test/groups/${group.full_path}`,
  });
  const personal = await app.build.project();
  await app.context().query(sql`update users set avatar = 'me.png' where id = ${personal.owner.id}`);
  await app.context().query(sql`update namespaces set avatar = 'us.png' where id = ${group.id}`);
  const mine = await app.as(personal.owner).get(`/projects/${personal.id}`);
  t.like(mine.body.namespace, { kind: 'user', web_url: `http://capstan.test/${personal.owner.username}` });
  t.true(mine.body.namespace.avatar_url.endsWith(`/user/avatar/${personal.owner.id}/me.png`));
  t.is(mine.body.owner.avatar_url, mine.body.namespace.avatar_url);
  const ours = await app.as(group.owner).get(`/projects/${project.id}`);
  t.true(ours.body.namespace.avatar_url.endsWith(`/group/avatar/${group.id}/us.png`));
});

// Contract: interface-4.10.get
test('custom attributes are shown to administrators who ask for them', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const admin = app.as(await app.build.admin());
  await admin.put(`/projects/${project.id}/custom_attributes/team`, { value: 'blue' });
  const response = await admin.get(`/projects/${project.id}?with_custom_attributes=true`);
  t.deepEqual(response.body.custom_attributes, [{ key: 'team', value: 'blue' }]);
  t.false('custom_attributes' in (await admin.get(`/projects/${project.id}`)).body);
  const other = await app.as(project.owner).get(`/projects/${project.id}?with_custom_attributes=true`);
  t.is(other.status, 200);
  t.false('custom_attributes' in other.body);
});

// Contract: interface-2.10.sharing
test('only administrators see where a repository is stored', async (t) => {
  const project = await app.build.project();
  const admin = await app.build.admin();
  t.is((await app.as(admin).get(`/projects/${project.id}`)).body.repository_storage, 'default');
  t.false('repository_storage' in (await app.as(project.owner).get(`/projects/${project.id}`)).body);
});

// Contract: interface-2.10.ci
test('the runner token is a secret of its own for each project, for Maintainers, and can be reset', async (t) => {
  const [one, other] = [await app.build.project(), await app.build.project()];
  const getToken = async (project: typeof one) =>
    (await app.as(project.owner).get(`/projects/${project.id}`)).body.runners_token as string;
  const before = await getToken(one);
  t.true(before.length >= 20);
  t.not(before, await getToken(other));
  const reset = await app.as(one.owner).post(`/projects/${one.id}/runners/reset_registration_token`);
  t.is(reset.status, 201);
  t.is(reset.body.token, await getToken(one));
  t.not(reset.body.token, before);
  const developer = await app.build.member(one, 'developer');
  t.is((await app.as(developer).post(`/projects/${one.id}/runners/reset_registration_token`)).status, 403);
  const [row] = await app
    .context()
    .query<{ runners_token: Buffer }>(sql`select runners_token from project_settings where project_id = ${one.id}`);
  t.false(row?.runners_token.toString('latin1').includes(reset.body.token));
});

// Contract: interface-2.10.counters, interface-2.10.fork, interface-2.10.mirror
test('a fork tells its upstream to those who may read it', async (t) => {
  const upstream = await app.build.project();
  const fork = await app.build.project({ visibility: 'public' });
  await app.context().query(sql`
    update projects set forked_from_id = ${upstream.id}, import_status = 'failed', import_error = 'gone'
     where id = ${fork.id}`);
  const asStranger = await app.as(fork.owner).get(`/projects/${fork.id}`);
  t.false('forked_from_project' in asStranger.body);
  t.like(asStranger.body, { import_status: 'failed', import_error: 'gone', mr_default_target_self: false });
  const member = await app.build.member(upstream, 'reporter');
  const asMember = await app.as(member).get(`/projects/${fork.id}`);
  t.is(asMember.body.forked_from_project.id, upstream.id);
  t.is(asMember.body.forked_from_project.forks_count, 1);
  t.is((await app.as(upstream.owner).get(`/projects/${upstream.id}`)).body.forks_count, 1);
  t.false('mr_default_target_self' in (await app.as(upstream.owner).get(`/projects/${upstream.id}`)).body);
  await app.as(upstream.owner).put(`/projects/${upstream.id}`, { visibility: 'public' });
  const anonymous = await app.anonymous.get(`/projects/${fork.id}`);
  t.is(anonymous.body.forked_from_project.path_with_namespace, upstream.full_path);
  await app.as(fork.owner).put(`/projects/${fork.id}`, { mr_default_target_self: true });
  t.true((await app.as(fork.owner).get(`/projects/${fork.id}`)).body.mr_default_target_self);
});

// Contract: interface-2.10.sharing
test('groups that a project is shared with are told', async (t) => {
  const project = await app.build.project();
  const group = await app.build.group({ owner: project.owner });
  t.deepEqual((await app.as(project.owner).get(`/projects/${project.id}`)).body.shared_with_groups, []);
  await app.as(project.owner).post(`/projects/${project.id}/share`, { group_id: group.id, group_access: 30 });
  const { body } = await app.as(project.owner).get(`/projects/${project.id}`);
  t.deepEqual(body.shared_with_groups, [
    {
      group_id: group.id,
      group_name: group.name,
      group_full_path: group.full_path,
      group_access_level: 30,
      expires_at: null,
    },
  ]);
});

// Contract: interface-2.10.counters
test('a star is counted', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const fan = await app.build.user();
  t.is((await app.as(fan).post(`/projects/${project.id}/star`)).status, 201);
  t.is((await app.as(fan).get(`/projects/${project.id}`)).body.star_count, 1);
});

// Contract: interface-2.10.identity, interface-2.10.misc
test('archiving and deletion show in the record', async (t) => {
  const project = await app.build.project();
  const caller = app.as(project.owner);
  const archived = await caller.post(`/projects/${project.id}/archive`);
  t.true(archived.body.archived);
  t.false(archived.body.can_create_merge_request_in);
  await caller.post(`/projects/${project.id}/unarchive`);
  await caller.delete(`/projects/${project.id}`);
  const marked = await caller.get(`/projects/${project.id}`);
  t.like(marked.body, { marked_for_deletion_on: '2030-01-01', marked_for_deletion_at: '2030-01-01' });
});

// Contract: interface-2.10.identity
test('an empty project tells the branch that its first commit is best made to', async (t) => {
  const group = await app.build.group();
  const owner = app.as(group.owner);
  const { id } = await app.build.projectIn(group);
  const readProject = async () => (await owner.get(`/projects/${id}`)).body;
  t.like(await readProject(), { default_branch: 'main', empty_repo: true, readme_url: null });
  t.is((await owner.put(`/groups/${group.id}`, { default_branch: 'trunk' })).status, 200);
  t.like(await readProject(), { default_branch: 'trunk', empty_repo: true });
  const [listed] = (await owner.get(`/groups/${group.id}/projects`)).body;
  t.is(listed.default_branch, 'trunk');
  const file = { branch: 'first', content: 'x', commit_message: 'Begin' };
  t.is((await owner.post(`/projects/${id}/repository/files/a.txt`, file)).status, 201);
  t.like(await readProject(), { default_branch: 'first', empty_repo: false });
});
