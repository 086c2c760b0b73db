import test from 'ava';
import { CONTAINER_NOUNS } from '../../../shared/core/operations/container.js';
import { useApp } from '../../core/app.js';
import { KINDS, labelIn, createContainer } from '../containers.js';

const app = useApp(test);
const names = (body: { name: string }[]) => body.map(({ name }) => name);

// Contract: labels-8.record, labels-8.create, labels-8.get, labels-8.list
test('a label is made with what was given, and then read by id or name and listed', async (t) => {
  for (const kind of KINDS) {
    const { owner, path } = await createContainer(app, kind, 'labels');
    const response = await app.as(owner).post(path, { name: ' bug ', color: '#d9534f', description: 'It **fails**' });
    t.is(response.status, 201);
    const expected = {
      id: response.body.id,
      name: 'bug',
      description: 'It **fails**',
      description_html: 'It **fails**',
      text_color: '#FFFFFF',
      color: '#d9534f',
      archived: false,
      subscribed: false,
      ...(kind === 'project' ? { priority: null, is_project_label: true } : {}),
    };
    t.deepEqual(response.body, expected);
    for (const name of [response.body.id, 'bug'])
      t.deepEqual((await app.as(owner).get(`${path}/${name}`)).body, expected);
    t.deepEqual((await app.as(owner).get(path)).body, [expected]);
    const missing = await app.as(owner).get(`${path}/none`);
    t.deepEqual([missing.status, missing.body], [404, { message: '404 Label Not Found' }]);
  }
});

// Contract: labels-8.colors
test('colours are codes of three or six digits and the names of CSS, and text on light ones is dark', async (t) => {
  const { owner, path } = await createContainer(app, 'project', 'labels');
  const colors = { '#aBc': '#aaBBcc', Crimson: '#DC143C', '#FFAABB': '#FFAABB', rebeccapurple: '#663399' };
  for (const [color, stored] of Object.entries(colors)) {
    const { body } = await app.as(owner).post(path, { name: color, color });
    t.is(body.color, stored);
    t.is(body.text_color, stored === '#FFAABB' || stored === '#aaBBcc' ? '#1F1E24' : '#FFFFFF');
  }
  for (const color of ['', 'FFAABB', '#FFAAB', '#FFAABBCC', '#GGG', 'constructor', 'rgb(1,2,3)', 'url(x)']) {
    const { status, body } = await app.as(owner).post(path, { name: 'x', color });
    t.deepEqual([status, body], [400, { message: { color: ['must be a valid color code'] } }], color);
  }
});

// Contract: labels-8.names
test('names are neither blank nor longer than 255 characters and have no commas', async (t) => {
  for (const kind of KINDS) {
    const { owner, path } = await createContainer(app, kind, 'labels');
    const cases: [string, string[]][] = [
      ['', ["can't be blank", 'is invalid']],
      ['  ', ["can't be blank", 'is invalid']],
      ['a,b', ['is invalid']],
      ['x'.repeat(256), ['is too long (maximum is 255 characters)']],
    ];
    for (const [name, title] of cases) {
      const { status, body } = await app.as(owner).post(path, { name, color: 'red' });
      t.deepEqual([status, body], [400, { message: { title } }]);
    }
    for (const name of ['😀'.repeat(255), 'key::value', 'a/b', '<script>', '&'])
      t.is((await app.as(owner).post(path, { name, color: 'red' })).body.name, name);
    const both = await app.as(owner).post(path, {});
    t.deepEqual([both.status, both.body], [400, { error: 'name is missing, color is missing' }]);
    const long = await app.as(owner).post(path, { name: 'x', color: 'red', description: 'x'.repeat(524_289) });
    t.deepEqual(long.body, { message: { description: ['is too long (maximum is 524288 characters)'] } });
  }
});

// Contract: labels-8.exists
test('a name that the project, the group or a group above it has is 409, and another case of it is another name', async (t) => {
  const above = await app.build.group();
  const group = await app.build.group({ parent: above, owner: above.owner });
  const project = await app.build.projectIn(group);
  const as = app.as(above.owner);
  await as.post(`/groups/${above.id}/labels`, { name: 'bug', color: 'red' });
  const own = { name: 'own', color: 'red' };
  await as.post(`/projects/${project.id}/labels`, own);
  for (const path of [`/groups/${above.id}`, `/groups/${group.id}`, `/projects/${project.id}`]) {
    const { status, body } = await as.post(`${path}/labels`, { name: 'bug', color: 'red' });
    t.deepEqual([status, body], [409, { message: 'Label already exists' }]);
  }
  t.is((await as.post(`/projects/${project.id}/labels`, own)).status, 409);
  t.is((await as.post(`/projects/${project.id}/labels`, { name: 'Bug', color: 'red' })).status, 201);
  t.is((await as.post(`/groups/${group.id}/labels`, own)).status, 201);
});

test('of ten who make the same label at once one does, and the others are told that it exists', async (t) => {
  for (const kind of KINDS) {
    const { owner, path } = await createContainer(app, kind, 'labels');
    const tries = Array.from({ length: 10 }, () => app.as(owner).post(path, { name: 'bug', color: 'red' }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status).sort();
    t.deepEqual(statuses, [201, ...Array.from({ length: 9 }, () => 409)]);
  }
});

// Contract: labels-8.update
test('an edit changes what it names and nothing else, by id or name, in the path or as a parameter', async (t) => {
  for (const kind of KINDS) {
    const container = await createContainer(app, kind, 'labels');
    const { owner, path } = container;
    const label = await labelIn(app, container, { name: 'bug', description: 'x' });
    const put = async (at: string, change: object) => (await app.as(owner).put(path + at, change)).body;
    t.deepEqual(await put('/bug', { new_name: 'fault' }), { ...label, name: 'fault' });
    t.like(await put(`/${label.id}`, { color: 'navy' }), { name: 'fault', color: '#000080', description: 'x' });
    t.like(await put('', { name: 'fault', description: null }), { description: null, description_html: null });
    t.like(await put('', { label_id: label.id, archived: true, new_name: 'old' }), { name: 'old', archived: true });
    t.like((await app.as(owner).get(`${path}/${label.id}`)).body, { name: 'old', color: '#000080', archived: true });
    const [none, both, neither] = [
      await app.as(owner).put(`${path}/old`, {}),
      await app.as(owner).put(path, { name: 'old', label_id: 1, color: 'red' }),
      await app.as(owner).put(path, { color: 'red' }),
    ];
    const changes = `new_name, color, description, archived${kind === 'project' ? ', priority' : ''}`;
    t.deepEqual(none.body, { error: `${changes} are missing, at least one parameter must be provided` });
    t.deepEqual(both.body, { error: 'label_id, name are mutually exclusive' });
    t.deepEqual(neither.body, { error: 'label_id, name are missing, at least one parameter must be provided' });
    await labelIn(app, container, { name: 'taken' });
    const answer = await app.as(owner).put(`${path}/old`, { new_name: 'taken' });
    t.deepEqual([answer.status, answer.body], [400, { message: { title: ['has already been taken'] } }]);
    t.is((await app.as(owner).put(`${path}/old`, { new_name: 'old' })).status, 200);
  }
});

// Contract: labels-8.delete
test('a label is deleted by id or name, in the path or as a parameter, unless it changed since', async (t) => {
  for (const kind of KINDS) {
    const container = await createContainer(app, kind, 'labels');
    const as = app.as(container.owner);
    for (const name of ['a', 'b', 'c', 'd']) await labelIn(app, container, { name });
    const { id } = (await as.get(`${container.path}/b`)).body;
    const since = { 'If-Unmodified-Since': 'Mon, 01 Jan 2029 00:00:00 GMT' };
    t.is((await as.with(since).delete(`${container.path}/a`)).status, 412);
    t.is((await as.delete(`${container.path}/a`)).status, 204);
    t.is((await as.delete(`${container.path}/${id}`)).status, 204);
    t.is((await as.delete(container.path, { name: 'c' })).status, 204);
    t.is((await as.delete(`${container.path}?name=d`)).status, 204);
    t.deepEqual((await as.get(container.path)).body, []);
    t.is((await as.delete(`${container.path}/a`)).status, 404);
  }
});

// Contract: labels-8.priority
test('a project gives its labels and those of its groups priorities, and takes them away with null', async (t) => {
  const group = await app.build.group();
  const [project, other] = [await app.build.projectIn(group), await app.build.projectIn(group)];
  const as = app.as(group.owner);
  const path = `/projects/${project.id}/labels`;
  t.is((await as.post(path, { name: 'own', color: 'red', priority: 3 })).body.priority, 3);
  await as.post(`/groups/${group.id}/labels`, { name: 'shared', color: 'red' });
  t.is((await as.put(`${path}/shared`, { priority: 0 })).body.priority, 0);
  t.is((await as.get(`${path}/shared`)).body.priority, 0);
  t.is((await as.get(`/projects/${other.id}/labels/shared`)).body.priority, null);
  t.is((await as.put(`${path}/own`, { color: 'blue' })).body.priority, 3);
  t.is((await as.put(`${path}/own`, { priority: null })).body.priority, null);
  t.is((await as.get(`${path}/own`)).body.priority, null);
  // Of a label that is not its own a project changes nothing else.
  t.is((await as.put(`${path}/shared`, { priority: 1, color: 'blue' })).status, 404);
  t.is((await as.get(`${path}/shared`)).body.priority, 0);
  for (const priority of ['high', -1, 1.5, 2 ** 31])
    t.deepEqual((await as.put(`${path}/own`, { priority })).body, { error: 'priority is invalid' });
});

// Contract: labels-8.subscribe
test('whoever may read a label subscribes to it for themselves, and is told 304 where that changes nothing', async (t) => {
  for (const kind of KINDS) {
    const container = await createContainer(app, kind, 'labels');
    const { id } = await labelIn(app, container, { name: 'bug' });
    const guest = app.as(
      await (kind === 'project' ? app.build.member(container, 'guest') : app.build.groupMember(container, 'guest')),
    );
    for (const reference of ['bug', id]) {
      const path = `${container.path}/${reference}`;
      const on = await guest.post(`${path}/subscribe`);
      t.deepEqual([on.status, on.body.subscribed], [201, true]);
      t.is((await guest.post(`${path}/subscribe`)).status, 304);
      t.true((await guest.get(path)).body.subscribed);
      t.false((await app.as(container.owner).get(path)).body.subscribed);
      const off = await guest.post(`${path}/unsubscribe`);
      t.deepEqual([off.status, off.body.subscribed], [201, false]);
      t.is((await guest.post(`${path}/unsubscribe`)).status, 304);
    }
    t.is((await app.anonymous.post(`${container.path}/bug/subscribe`)).status, 401);
    t.deepEqual((await app.as(await app.build.user()).post(`${container.path}/bug/subscribe`)).body, {
      message: `404 ${CONTAINER_NOUNS[kind]} Not Found`,
    });
  }
});

// Contract: labels-8.list.reach
test('a list holds labels of groups above, and where asked those below and those of projects', async (t) => {
  const above = await app.build.group();
  const group = await app.build.group({ parent: above, owner: above.owner });
  const below = await app.build.group({ parent: group, owner: above.owner });
  const [project, deep] = [await app.build.projectIn(group), await app.build.projectIn(below)];
  const as = app.as(above.owner);
  const paths = { above: `/groups/${above.id}`, group: `/groups/${group.id}`, below: `/groups/${below.id}` };
  const all = { ...paths, project: `/projects/${project.id}`, deep: `/projects/${deep.id}` };
  for (const [name, path] of Object.entries(all)) await as.post(`${path}/labels`, { name, color: 'red' });
  const list = async (path: string, query = '') => names((await as.get(`${path}/labels?${query}`)).body);
  t.deepEqual(await list(all.project), ['above', 'group', 'project']);
  t.deepEqual(await list(all.project, 'include_ancestor_groups=false'), ['project']);
  t.deepEqual(await list(all.group), ['above', 'group']);
  t.deepEqual(await list(all.group, 'include_ancestor_groups=false'), ['group']);
  t.deepEqual(await list(all.group, 'include_descendant_groups=true'), ['above', 'below', 'group']);
  t.deepEqual(await list(all.group, 'only_group_labels=false'), ['above', 'group', 'project']);
  const everything = 'only_group_labels=false&include_descendant_groups=true';
  t.deepEqual(await list(all.group, everything), ['above', 'below', 'deep', 'group', 'project']);
  const { body: wide } = await as.get(`${all.project}/labels`);
  t.deepEqual(
    wide.map((label: { is_project_label: boolean }) => label.is_project_label),
    [false, false, true],
  );
  t.is((await as.get(`${all.project}/labels/above?include_ancestor_groups=false`)).status, 404);
  t.is((await as.get(`${all.project}/labels/deep`)).status, 404);
});

test('a list of a group leaves out labels of projects and groups below it that the caller may not read', async (t) => {
  const group = await app.build.group({ visibility: 'public' });
  const hidden = await app.build.group({ parent: group, owner: group.owner, visibility: 'private' });
  const open = await app.build.projectIn(group, { visibility: 'public' });
  const shut = await app.build.projectIn(group, { visibility: 'private' });
  const without = await app.build.projectIn(group, { visibility: 'public' });
  const as = app.as(group.owner);
  const disabled = { issues_access_level: 'private', merge_requests_access_level: 'disabled' };
  await as.put(`/projects/${without.id}`, disabled);
  const paths = {
    hidden: `/groups/${hidden.id}`,
    open: `/projects/${open.id}`,
    shut: `/projects/${shut.id}`,
    without: `/projects/${without.id}`,
  };
  for (const [name, path] of Object.entries(paths))
    t.is((await as.post(`${path}/labels`, { name, color: 'red' })).status, 201);
  const query = 'only_group_labels=false&include_descendant_groups=true';
  const list = async (client: typeof as) => names((await client.get(`/groups/${group.id}/labels?${query}`)).body);
  t.deepEqual(await list(as), ['hidden', 'open', 'shut', 'without']);
  t.deepEqual(await list(app.anonymous), ['open']);
  t.deepEqual(await list(app.as(await app.build.user())), ['open']);
  t.deepEqual(await list(app.as(await app.build.member(without, 'guest'))), ['open', 'without']);
  t.deepEqual(await list(app.as(await app.build.admin())), ['hidden', 'open', 'shut', 'without']);
});

// Contract: labels-8.list.filters
test('lists are ordered by name and filtered by words of name or description and by archived', async (t) => {
  for (const kind of KINDS) {
    const container = await createContainer(app, kind, 'labels');
    for (const name of ['c%d', 'a', 'b'])
      await labelIn(app, container, { name, description: name === 'a' ? 'A cd' : null });
    await labelIn(app, container, { name: 'z', archived: true });
    const list = async (query: string) => names((await app.as(container.owner).get(`${container.path}?${query}`)).body);
    t.deepEqual(await list(''), ['a', 'b', 'c%d', 'z']);
    t.deepEqual(await list('search=CD'), ['a']);
    t.deepEqual(await list('search=%25'), ['c%d']);
    t.deepEqual(await list('title=b'), ['b']);
    t.deepEqual(await list('archived=true'), ['z']);
    t.deepEqual(await list('archived=false'), ['a', 'b', 'c%d']);
    t.deepEqual(await list('per_page=2&page=2'), ['c%d', 'z']);
  }
});
