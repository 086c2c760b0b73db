import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: core-5.update
test('settings are for Maintainers; name, path and visibility for Owners', async (t) => {
  const project = await app.build.project();
  for (const role of ['guest', 'planner', 'reporter', 'developer'] as const) {
    const member = app.as(await app.build.member(project, role));
    t.is((await member.put(`/projects/${project.id}`, { description: role })).status, 403, role);
  }
  const maintainer = app.as(await app.build.member(project, 'maintainer'));
  t.is((await maintainer.put(`/projects/${project.id}`, { description: 'by a Maintainer' })).status, 200);
  for (const params of [{ name: 'Other' }, { path: 'other' }, { visibility: 'public' }]) {
    t.is((await maintainer.put(`/projects/${project.id}`, params)).status, 403, JSON.stringify(params));
    t.is((await app.as(project.owner).put(`/projects/${project.id}`, params)).status, 200);
  }
  t.is((await app.as(await app.build.admin()).put(`/projects/${project.id}`, { name: 'Again' })).status, 200);
  const hidden = await app.build.project();
  const stranger = app.as(await app.build.user());
  t.is((await stranger.put(`/projects/${hidden.id}`, { description: 'x' })).status, 404);
  t.is((await app.anonymous.put(`/projects/${hidden.id}`, { description: 'x' })).status, 401);
});

// Contract: core-5.update.rename, interface-2.10.identity, interface-2.10.urls
test('a rename changes every name, path and URL of a project', async (t) => {
  const project = await app.build.project();
  const caller = app.as(project.owner);
  const { status, body } = await caller.put(`/projects/${project.id}`, { name: 'New Name', path: 'New-Path' });
  t.is(status, 200);
  const path = `${project.owner.username}/New-Path`;
  t.like(body, {
    name: 'New Name',
    path: 'New-Path',
    name_with_namespace: `${project.owner.name} / New Name`,
    path_with_namespace: path,
    web_url: `http://capstan.test/${path}`,
    http_url_to_repo: `http://capstan.test/${path}.git`,
    ssh_url_to_repo: `git@capstan.test:${path}.git`,
    container_registry_image_prefix: `capstan.test/${path.toLowerCase()}`,
  });
  t.is((await caller.get(`/projects/${encodeURIComponent(path)}`)).status, 200);
  const moved = await caller.get(`/projects/${encodeURIComponent(project.full_path)}`);
  t.is(moved.status, 301);
  t.is(moved.headers.get('location'), `http://capstan.test/api/v4/projects/${project.id}`);
});

// Contract: core-5.update.rename
test('another case of the same path is a rename without a move', async (t) => {
  const project = await app.build.project({ name: 'Case' });
  const caller = app.as(project.owner);
  t.is((await caller.put(`/projects/${project.id}`, { path: 'CASE' })).body.path, 'CASE');
  t.is((await caller.get(`/projects/${encodeURIComponent(project.full_path)}`)).status, 200);
});

// Contract: core-5.update.rename
test('a name or path of a neighbour is refused with every reason, and nothing changes', async (t) => {
  const neighbour = await app.build.project({ name: 'Taken' });
  const project = await app.build.project({ owner: neighbour.owner, name: 'Free' });
  const caller = app.as(project.owner);
  const { status, body } = await caller.put(`/projects/${project.id}`, {
    name: 'Taken',
    path: 'TAKEN',
    description: 'lost',
  });
  t.is(status, 400);
  const text = ['has already been taken'];
  t.deepEqual(body, { message: { path: text, name: text, 'project_namespace.name': text } });
  t.like((await caller.get(`/projects/${project.id}`)).body, { name: 'Free', path: 'free', description: null });
});

// Contract: core-5.names
test('a blank name or path is refused, and nothing changes', async (t) => {
  const project = await app.build.project({ empty: true, name: 'Kept' });
  const caller = app.as(project.owner);
  for (const field of ['name', 'path'])
    for (const value of ['', null]) {
      const { status, body } = await caller.put(`/projects/${project.id}`, { [field]: value, description: 'lost' });
      t.is(status, 400, `${field} ${value}`);
      t.deepEqual(body, { message: { [field]: ["can't be blank"] } });
    }
  t.like((await caller.get(`/projects/${project.id}`)).body, { name: 'Kept', path: 'kept', description: null });
});

// Contract: core-5.update.rename
test('of two renames to one path at once one is made and one refused', async (t) => {
  const one = await app.build.project();
  const other = await app.build.project({ owner: one.owner });
  const answers = await Promise.all(
    [one, other].map((project) => app.as(one.owner).put(`/projects/${project.id}`, { path: 'wanted' })),
  );
  t.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400]);
});

// Contract: core-5.update.visibility
test('a project is not made more visible than its group', async (t) => {
  const group = await app.build.group({ visibility: 'private' });
  const project = await app.build.projectIn(group);
  const { status, body } = await app.as(group.owner).put(`/projects/${project.id}`, { visibility: 'public' });
  t.is(status, 400);
  t.deepEqual(body, { message: { visibility_level: ['public is not allowed in a private group.'] } });
});

// Contract: interface-2.10.identity, interface-2.10.updated
test('times of a record follow the clock: created, edited, pushed to', async (t) => {
  const project = await app.build.project({ empty: true });
  const caller = app.as(project.owner);
  await app.context().query(sql`
    update projects set created_at = '2029-01-01', updated_at = '2029-01-01', last_activity_at = '2029-01-01'
     where id = ${project.id}`);
  const old = '2029-01-01T00:00:00.000Z';
  t.like((await caller.get(`/projects/${project.id}`)).body, {
    created_at: old,
    updated_at: old,
    last_activity_at: old,
  });
  const now = app.clock.now().toISOString();
  const edited = await caller.put(`/projects/${project.id}`, { description: 'x' });
  t.like(edited.body, { created_at: old, updated_at: now, last_activity_at: old, empty_repo: true });
  await caller.post(`/projects/${project.id}/repository/files/a.txt`, {
    branch: 'main',
    content: 'a',
    commit_message: 'Add',
  });
  t.like((await caller.get(`/projects/${project.id}`)).body, { last_activity_at: now, empty_repo: false });
});

// Contract: core-5.create.user
test('an administrator creates a project for somebody else', async (t) => {
  const user = await app.build.user();
  const admin = app.as(await app.build.admin());
  const { status, body } = await admin.post(`/projects/user/${user.id}`, { name: 'Gift', issues_enabled: false });
  t.is(status, 201);
  t.like(body, { creator_id: user.id, path_with_namespace: `${user.username}/gift`, issues_access_level: 'disabled' });
  t.is((await app.as(user).put(`/projects/${body.id}`, { name: 'Mine' })).status, 200);
  t.is((await app.as(user).post(`/projects/user/${user.id}`, { name: 'Other' })).status, 403);
  const unknown = await admin.post('/projects/user/999999999', { name: 'Nobody' });
  t.is(unknown.status, 404);
  t.deepEqual(unknown.body, { message: '404 User Not Found' });
  const nameless = await admin.post(`/projects/user/${user.id}`, {});
  t.is(nameless.status, 400);
  t.deepEqual(nameless.body, { error: 'name is missing' });
});

/** The least picture that there is. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

// Contract: interface-2.10.urls
test('a picture is uploaded, counted, served, and removed by an empty text', async (t) => {
  const project = await app.build.project();
  const caller = app.as(project.owner);
  const form = new FormData();
  form.set('avatar', new Blob([PNG], { type: 'image/png' }), 'me.png');
  const uploaded = await caller.raw('PUT', `/api/v4/projects/${project.id}`, form);
  t.is(uploaded.status, 200, uploaded.text);
  const url = new URL(uploaded.body.avatar_url as string);
  t.true(url.pathname.startsWith(`/uploads/-/system/project/avatar/${project.id}/`));
  const served = await app.anonymous.raw('GET', url.pathname);
  t.is(served.status, 200);
  t.is(served.headers.get('content-type'), 'image/png');
  const counted = async () => {
    const { uploads_size, storage_size } = (await caller.get(`/projects/${project.id}?statistics=true`)).body
      .statistics;
    return [uploads_size, storage_size - uploads_size];
  };
  const [size, others] = await counted();
  t.is(size, PNG.length);
  const removed = await caller.put(`/projects/${project.id}`, { avatar: '' });
  t.deepEqual(await counted(), [0, others]);
  t.is(removed.body.avatar_url, null);
  const wrong = new FormData();
  wrong.set('avatar', new Blob(['no picture']), 'me.png');
  t.is((await caller.raw('PUT', `/api/v4/projects/${project.id}`, wrong)).status, 400);
});

// Contract: core-5.topics
test('topics are shared by projects whatever their case, and counted', async (t) => {
  const one = await app.build.project();
  const other = await app.build.project();
  await app.as(one.owner).put(`/projects/${one.id}`, { topics: ['Shared Topic', ' ', 'shared topic'] });
  const second = await app.as(other.owner).put(`/projects/${other.id}`, { topics: 'SHARED TOPIC' });
  t.deepEqual(second.body.topics, ['Shared Topic']);
  const count = async () => {
    const [row] = await app
      .context()
      .query<{ count: number }>(sql`select total_projects_count as count from topics where name = 'Shared Topic'`);
    return row?.count;
  };
  t.is(await count(), 2);
  const cleared = await app.as(other.owner).put(`/projects/${other.id}`, { topics: [] });
  t.deepEqual(cleared.body.topics, []);
  t.is(await count(), 1);
});

test('a topic of letters whose case languages disagree about is kept, shared and found', async (t) => {
  const [one, other] = [await app.build.project(), await app.build.project()];
  for (const name of ['İstanbul', 'ΟΔΟΣ', 'DŽ'])
    for (const project of [one, other]) {
      const { body } = await app.as(project.owner).put(`/projects/${project.id}`, { topics: [name] });
      t.deepEqual(body.topics, [name]);
      const found = await app.as(project.owner).get(`/projects?owned=true&topic=${encodeURIComponent(name)}`);
      t.deepEqual(
        found.body.map(({ id }: { id: number }) => id),
        [project.id],
      );
    }
});

// Contract: core-5.audit
test('creation, visibility, names and settings that matter to others are written to the audit log, secrets are not', async (t) => {
  const project = await app.build.project();
  const caller = app.as(project.owner);
  await caller.put(`/projects/${project.id}`, {
    visibility: 'public',
    name: 'Told',
    merge_method: 'ff',
    import_url: 'https://me:hidden@example.com/a.git',
    description: 'not told',
  });
  const events = await app.context().query<{ event: string; change: string | null; to: unknown; author: number }>(sql`
    select event_name as event, change, value_to as to, author_id as author from audit_events
     where entity_type = 'Project' and entity_id = ${project.id} order by id`);
  const author = project.owner.id;
  t.deepEqual(
    events.filter(({ event, change }) => event.startsWith('project_') && change !== 'import_url'),
    [
      { event: 'project_created', change: null, to: null, author },
      { event: 'project_updated', change: 'name', to: 'Told', author },
      { event: 'project_updated', change: 'visibility', to: 'public', author },
      { event: 'project_updated', change: 'merge_method', to: 'ff', author },
    ],
  );
  t.deepEqual(
    events.filter(({ change }) => change === 'import_url').map(({ to }) => to),
    ['https://example.com/a.git'],
  );
  t.notRegex(JSON.stringify(events), /hidden|me:/);
});
