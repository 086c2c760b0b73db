import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: core-5.create
test('a project is created in the namespace of its creator, with a README on the branch asked for', async (t) => {
  const user = await app.build.user();
  const { status, body } = await app
    .as(user)
    .post('/projects', { name: 'My Rocket', initialize_with_readme: true, default_branch: 'trunk' });
  t.is(status, 201);
  t.is(body.path, 'my-rocket');
  t.is(body.path_with_namespace, `${user.username}/my-rocket`);
  t.is(body.name_with_namespace, `${user.name} / My Rocket`);
  t.is(body.default_branch, 'trunk');
  t.is(body.visibility, 'private');
  t.is(body.created_at, '2030-01-01T00:00:00.000Z');
  t.false(body.empty_repo);
});

test('a project without a README has no branch and no repository on disk', async (t) => {
  const project = await app.build.project({ empty: true });
  t.is(project.default_branch, null);
  t.false(project.repository_created);
  const { status, body } = await app.as(project.owner).get(`/projects/${project.id}/repository/branches`);
  t.is(status, 200);
  t.deepEqual(body, []);
  t.deepEqual((await app.as(project.owner).get(`/projects/${project.id}/repository/tags`)).body, []);
});

test('a branch from the default branch of an empty project makes that one first', async (t) => {
  for (const branch of ['work', 'main']) {
    const project = await app.build.project({ empty: true });
    const caller = app.as(project.owner);
    const at = `/projects/${project.id}/repository/branches`;
    const other = await caller.post(at, { branch: 'work', ref: 'elsewhere' });
    t.deepEqual([other.status, other.body], [400, { message: 'Invalid reference name: elsewhere' }]);
    const { status, body } = await caller.post(at, { branch, ref: 'main' });
    t.is(status, 201, JSON.stringify(body));
    t.is(body.name, branch);
    t.is(body.commit.title, 'Add README.md');
    const names = (await caller.get(at)).body.map(({ name }: { name: string }) => name);
    t.deepEqual(names, branch === 'main' ? ['main'] : ['main', 'work']);
    t.is((await caller.get(`/projects/${project.id}`)).body.default_branch, 'main');
    t.true((await caller.get(`${at}/main`)).body.protected);
  }
});

test('whoever may not push to the default branch makes no first branch from it either', async (t) => {
  const project = await app.build.project({ empty: true });
  const developer = await app.build.member(project, 'developer');
  const at = `/projects/${project.id}/repository/branches`;
  t.is((await app.as(developer).post(at, { branch: 'work', ref: 'main' })).status, 400);
  t.deepEqual((await app.as(developer).get(at)).body, []);
});

// Contract: projects-1.get
test('a project is read by id and by path in any case', async (t) => {
  const project = await app.build.project();
  const caller = app.as(project.owner);
  const byId = await caller.get(`/projects/${project.id}`);
  const byPath = await caller.get(`/projects/${encodeURIComponent(project.full_path.toUpperCase())}`);
  t.is(byId.status, 200);
  t.deepEqual(byPath.body, byId.body);
});

// Contract: projects-5.1
test('what cannot be seen is not found, signed in or not', async (t) => {
  const project = await app.build.project();
  const stranger = await app.build.user();
  for (const caller of [app.as(stranger), app.anonymous]) {
    const { status, body } = await caller.get(`/projects/${project.id}`);
    t.is(status, 404);
    t.deepEqual(body, { message: '404 Project Not Found' });
  }
  t.is((await app.as(stranger).get('/projects/999999999')).status, 404);
  t.is((await app.as(stranger).get('/projects/no-slash')).status, 404);
});

// Contract: interface-5.1.2
test('internal projects are for everybody signed in, public ones for everybody', async (t) => {
  const internal = await app.build.project({ visibility: 'internal' });
  const open = await app.build.project({ visibility: 'public' });
  const user = await app.build.user();
  const external = await app.build.user({ external: true });
  t.is((await app.as(user).get(`/projects/${internal.id}`)).status, 200);
  t.is((await app.as(external).get(`/projects/${internal.id}`)).status, 404);
  t.is((await app.anonymous.get(`/projects/${internal.id}`)).status, 404);
  const anonymous = await app.anonymous.get(`/projects/${open.id}`);
  t.is(anonymous.status, 200);
  t.false('creator_id' in anonymous.body);
});

// Contract: interface-5.1.2
test('a list shows just what its caller may see, newest first', async (t) => {
  const mine = await app.build.project();
  const hidden = await app.build.project();
  const open = await app.build.project({ visibility: 'public' });
  const { body, headers } = await app.as(mine.owner).get('/projects?per_page=100');
  const ids = body.map((project: { id: number }) => project.id);
  t.true(ids.includes(mine.id) && ids.includes(open.id));
  t.false(ids.includes(hidden.id));
  t.deepEqual(
    ids,
    ids.toSorted((a: number, b: number) => b - a),
  );
  t.is(headers.get('x-page'), '1');
  const anonymous = await app.anonymous.get('/projects?per_page=100');
  t.true(anonymous.body.every((project: { visibility: string }) => project.visibility === 'public'));
});

// Contract: core-5.create
test('a name or path that is taken is refused with every reason', async (t) => {
  const project = await app.build.project({ name: 'Twice' });
  const { status, body } = await app.as(project.owner).post('/projects', { name: 'Twice' });
  t.is(status, 400);
  t.deepEqual(body, {
    message: {
      path: ['has already been taken'],
      name: ['has already been taken'],
      'project_namespace.name': ['has already been taken'],
    },
  });
});

// Contract: core-5.create
test('two creations of one path at once: one is made, one refused', async (t) => {
  const user = await app.build.user();
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => app.as(user).post('/projects', { name: 'Race', initialize_with_readme: true })),
  );
  t.deepEqual(answers.map((answer) => answer.status).toSorted(), [201, 400, 400, 400]);
});

// Contract: core-5.names
test('a path is made of the name in small letters without accents', async (t) => {
  const caller = app.as(await app.build.user());
  for (const [name, path] of [
    ['My Project', 'my-project'],
    ['Ünïcode Näme', 'unicode-name'],
    ['Straße nach Łódź', 'strasse-nach-lodz'],
    ['A_B.C', 'a_b.c'],
    ['Version 1.2', 'version-1-2'],
    ['one -- two', 'one-two'],
    ['Site.git', 'site-git'],
    ['😀 party', 'party'],
  ] as const) {
    const { status, body } = await caller.post('/projects', { name });
    t.is(status, 201, name);
    t.like(body, { name, path });
  }
  const none = await caller.post('/projects', { name: '日本語' });
  t.is(none.status, 400);
  t.deepEqual(none.body, { message: { path: ["can't be blank"] } });
});

test('neither name nor path is a bad request that names both', async (t) => {
  const user = await app.build.user();
  const { status, body } = await app.as(user).post('/projects', {});
  t.is(status, 400);
  t.deepEqual(body, { error: 'name, path are missing, at least one parameter must be provided' });
});

test("a namespace that is not the caller's is not valid", async (t) => {
  const other = await app.build.user();
  const user = await app.build.user();
  const { status, body } = await app.as(user).post('/projects', { name: 'Intruder', namespace_id: other.namespace_id });
  t.is(status, 400);
  t.deepEqual(body, { message: { namespace: ['is not valid'] } });
});

test('bad names, paths and branches change nothing', async (t) => {
  const user = await app.build.user();
  const caller = app.as(user);
  t.is((await caller.post('/projects', { name: '  ' })).status, 400);
  t.is((await caller.post('/projects', { name: 'Fine', path: 'a.git' })).status, 400);
  t.is((await caller.post('/projects', { name: 'Fine', path: '-x' })).status, 400);
  t.is((await caller.post('/projects', { name: 'Fine', path: 'new' })).status, 400);
  t.is(
    (await caller.post('/projects', { name: 'Fine', default_branch: 'a..b', initialize_with_readme: true })).status,
    400,
  );
  t.is((await caller.post('/projects', { name: 'Fine', visibility: 'secret' })).status, 400);
  const { body } = await caller.get('/projects?per_page=100&simple=true');
  t.false(body.some((project: { name: string }) => project.name === 'Fine'));
});
