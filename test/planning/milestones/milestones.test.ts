import test from 'ava';
import { useApp } from '../../core/app.js';
import { KINDS, milestoneIn, createContainer } from '../containers.js';

const app = useApp(test);
const NOW = '2030-01-01T00:00:00.000Z';
const titles = (body: { title: string }[]) => body.map(({ title }) => title);

// Contract: milestones-8.record, milestones-8.create, milestones-8.get, milestones-8.list
test('a milestone is made with what was given, numbered in its project or group, read and listed', async (t) => {
  for (const kind of KINDS) {
    const { owner, path, id } = await createContainer(app, kind, 'milestones');
    const dates = { start_date: '2029-12-01', due_date: '2029-12-31' };
    const response = await app.as(owner).post(path, { title: '1.0', description: 'First', ...dates });
    t.is(response.status, 201);
    const expected = {
      id: response.body.id,
      iid: 1,
      [`${kind}_id`]: id,
      title: '1.0',
      description: 'First',
      state: 'active',
      created_at: NOW,
      updated_at: NOW,
      ...dates,
      expired: true,
      web_url: response.body.web_url,
    };
    t.deepEqual(response.body, expected);
    t.regex(
      response.body.web_url,
      kind === 'project' ? /\/[\w-]+\/[\w-]+\/-\/milestones\/1$/ : /\/groups\/[\w-]+\/-\/milestones\/1$/,
    );
    t.deepEqual((await app.as(owner).get(`${path}/${response.body.id}`)).body, expected);
    t.deepEqual((await app.as(owner).get(path)).body, [expected]);
    const plain = await app.as(owner).post(path, { title: '2.0' });
    t.like(plain.body, { iid: 2, description: null, start_date: null, due_date: null, expired: false });
    const other = await createContainer(app, kind, 'milestones');
    const foreign = await app.as(other.owner).get(`${other.path}/${response.body.id}`);
    t.deepEqual([foreign.status, foreign.body], [404, { message: '404 Not found' }]);
  }
});

// Contract: milestones-8.numbers
test('fifty made at once have fifty numbers, and a number is not given out again', async (t) => {
  for (const kind of KINDS) {
    const container = await createContainer(app, kind, 'milestones');
    const milestones = await Promise.all(
      Array.from({ length: 50 }, (_one, index) => milestoneIn(app, container, { title: `M${index}` })),
    );
    const iids = milestones.map(({ iid }) => iid).sort((a, b) => a - b);
    t.deepEqual(
      iids,
      Array.from({ length: 50 }, (_one, index) => index + 1),
    );
    const last = milestones.find(({ iid }) => iid === 50);
    await app.as(container.owner).delete(`${container.path}/${last?.id}`);
    t.is((await milestoneIn(app, container, { title: 'next' })).iid, 51);
  }
});

// Contract: milestones-8.errors
test('what is wrong with a milestone is told in the notation of the public API, and nothing changes', async (t) => {
  for (const kind of KINDS) {
    const container = await createContainer(app, kind, 'milestones');
    const as = app.as(container.owner);
    const { id } = await milestoneIn(app, container, { title: 'taken', start_date: '2030-01-02' });
    const used = ['already being used for another group or project milestone.'];
    const cases: [object, string][] = [
      [{ title: '' }, `{:title=>["can't be blank"]}`],
      [{ title: 'x'.repeat(256) }, '{:title=>["is too long (maximum is 255 characters)"]}'],
      [{ title: 'taken' }, `{:title=>["${used[0]}"]}`],
      [
        { title: 'x', start_date: '2030-01-02', due_date: '2030-01-01' },
        '{:due_date=>["must be greater than start date"]}',
      ],
      [
        { title: 'x', start_date: '2030-01-02', due_date: '2030-01-02' },
        '{:due_date=>["must be greater than start date"]}',
      ],
    ];
    for (const [attributes, problems] of cases) {
      const { status, body } = await as.post(container.path, attributes);
      t.deepEqual([status, body], [400, { message: `Failed to create milestone ${problems}` }]);
    }
    const late = await as.put(`${container.path}/${id}`, { due_date: '2030-01-01' });
    t.is(late.body.message, 'Failed to update milestone {:due_date=>["must be greater than start date"]}');
    for (const due_date of ['2030-02-30', '2030-13-01', 'tomorrow', '20300101'])
      t.deepEqual((await as.post(container.path, { title: 'x', due_date })).body, { error: 'due_date is invalid' });
    t.deepEqual((await as.post(container.path, {})).body, { error: 'title is missing' });
    const names = 'title, description, start_date, due_date, state_event';
    const nothing = await as.put(`${container.path}/${id}`, {});
    t.deepEqual(nothing.body, { error: `${names} are missing, at least one parameter must be provided` });
    const odd = await as.put(`${container.path}/${id}`, { state_event: 'open' });
    t.deepEqual(odd.body, { error: 'state_event does not have a valid value' });
    t.is((await as.get(container.path)).body.length, 1);
  }
});

// Contract: milestones-8.titles
test('a project and its group do not have milestones of one title', async (t) => {
  const group = await app.build.group();
  const [project, sibling] = [await app.build.projectIn(group), await app.build.projectIn(group)];
  const as = app.as(group.owner);
  const post = async (path: string, title: string) => (await as.post(`${path}/milestones`, { title })).status;
  t.is(await post(`/projects/${project.id}`, 'a'), 201);
  t.is(await post(`/groups/${group.id}`, 'a'), 400);
  t.is(await post(`/groups/${group.id}`, 'b'), 201);
  t.is(await post(`/projects/${project.id}`, 'b'), 400);
  t.is(await post(`/projects/${sibling.id}`, 'a'), 201);
});

// Contract: milestones-8.update, milestones-8.delete
test('a milestone is edited, closed, opened again and deleted', async (t) => {
  for (const kind of KINDS) {
    const container = await createContainer(app, kind, 'milestones');
    const as = app.as(container.owner);
    const { id } = await milestoneIn(app, container, { title: '1.0', due_date: '2030-02-01' });
    const path = `${container.path}/${id}`;
    t.like((await as.put(path, { title: '1.1' })).body, { title: '1.1', due_date: '2030-02-01', state: 'active' });
    t.like((await as.put(path, { state_event: 'close', due_date: null })).body, { state: 'closed', due_date: null });
    t.is((await as.put(path, { state_event: 'close' })).status, 200);
    t.is((await as.put(path, { state_event: 'activate' })).body.state, 'active');
    t.is((await as.put(path, { title: '1.1' })).status, 200);
    const since = { 'If-Unmodified-Since': 'Mon, 01 Jan 2029 00:00:00 GMT' };
    t.is((await as.with(since).delete(path)).status, 412);
    t.is((await as.delete(path)).status, 204);
    t.is((await as.delete(path)).status, 404);
  }
});

test('a milestone is past once its last day is over, also one that is closed [unverified]', async (t) => {
  const container = await createContainer(app, 'project', 'milestones');
  const as = app.as(container.owner);
  const expired = async (attributes: object) =>
    (await as.post(container.path, { title: JSON.stringify(attributes), ...attributes })).body as {
      id: number;
      expired: boolean;
    };
  t.false((await expired({ due_date: '2030-01-01' })).expired);
  const { id, expired: past } = await expired({ due_date: '2029-12-31' });
  t.true(past);
  t.true((await as.put(`${container.path}/${id}`, { state_event: 'close' })).body.expired);
});

// Contract: milestones-8.list.filters
test('lists are ordered by the last day, those without one last, and filtered', async (t) => {
  for (const kind of KINDS) {
    const container = await createContainer(app, kind, 'milestones');
    const as = app.as(container.owner);
    await milestoneIn(app, container, { title: 'open end', description: 'The Rest' });
    await milestoneIn(app, container, { title: 'late', start_date: '2030-03-01', due_date: '2030-03-31' });
    const { id } = await milestoneIn(app, container, { title: 'early', due_date: '2030-01-31' });
    await as.put(`${container.path}/${id}`, { state_event: 'close' });
    const list = async (query: string) => titles((await as.get(`${container.path}?${query}`)).body);
    t.deepEqual(await list(''), ['early', 'late', 'open end']);
    t.deepEqual(await list('per_page=1&page=2'), ['late']);
    t.deepEqual(await list('state=active'), ['late', 'open end']);
    t.deepEqual(await list('state=closed'), ['early']);
    t.deepEqual(await list('state=all'), ['early', 'late', 'open end']);
    t.deepEqual(await list('iids[]=1&iids[]=3'), ['early', 'open end']);
    t.deepEqual(await list('title=late'), ['late']);
    t.deepEqual(await list('search=rest'), ['open end']);
    t.deepEqual(await list('search_title=rest'), []);
    t.deepEqual(await list('search_title=LA'), ['late']);
    t.deepEqual(await list('containing_date=2030-03-31'), ['late']);
    t.deepEqual(await list('containing_date=2030-01-15'), ['early']);
    t.deepEqual(await list('updated_after=2030-01-02'), []);
    t.deepEqual(await list('updated_before=2030-01-02'), ['early', 'late', 'open end']);
    t.deepEqual((await as.get(`${container.path}?containing_date=2030-02-30`)).body, {
      error: 'containing_date is invalid',
    });
    t.deepEqual((await as.get(`${container.path}?state=open`)).body, { error: 'state does not have a valid value' });
  }
});

// Contract: milestones-8.list.reach
test('a list holds milestones of groups above and of what lies below where that is asked for', async (t) => {
  const above = await app.build.group({ visibility: 'public' });
  const group = await app.build.group({ parent: above, owner: above.owner, visibility: 'public' });
  const below = await app.build.group({ parent: group, owner: above.owner, visibility: 'private' });
  const project = await app.build.projectIn(group, { visibility: 'public' });
  const as = app.as(above.owner);
  const paths = {
    above: `/groups/${above.id}`,
    group: `/groups/${group.id}`,
    below: `/groups/${below.id}`,
    project: `/projects/${project.id}`,
  };
  for (const [title, path] of Object.entries(paths)) await as.post(`${path}/milestones`, { title });
  const list = async (client: typeof as, path: string, query = '') =>
    titles((await client.get(`${path}/milestones?${query}`)).body).sort();
  t.deepEqual(await list(as, paths.project), ['project']);
  for (const name of ['include_ancestors', 'include_parent_milestones']) {
    t.deepEqual(await list(as, paths.project, `${name}=true`), ['above', 'group', 'project']);
    t.deepEqual(await list(as, paths.group, `${name}=true&iids[]=7`), ['above', 'group']);
  }
  t.deepEqual(await list(as, paths.group, 'include_descendants=true'), ['below', 'group', 'project']);
  t.deepEqual(await list(app.anonymous, paths.group, 'include_descendants=true'), ['group', 'project']);
  t.deepEqual(await list(app.anonymous, paths.project, 'include_ancestors=true'), ['above', 'group', 'project']);
});

// Contract: milestones-8.promote
test("a promoted milestone is its group's with a number there, and takes in those of its title", async (t) => {
  const above = await app.build.group();
  const group = await app.build.group({ parent: above, owner: above.owner });
  const [project, sibling] = [await app.build.projectIn(group), await app.build.projectIn(group)];
  const as = app.as(above.owner);
  await as.post(`/groups/${group.id}/milestones`, { title: 'other' });
  const { body: milestone } = await as.post(`/projects/${project.id}/milestones`, { title: '1.0' });
  const { body: same } = await as.post(`/projects/${sibling.id}/milestones`, { title: '1.0' });
  const promoted = await as.post(`/projects/${project.id}/milestones/${milestone.id}/promote`);
  t.is(promoted.status, 200);
  t.like(promoted.body, { id: milestone.id, iid: 2, group_id: group.id, title: '1.0' });
  t.is((await as.get(`/projects/${project.id}/milestones/${milestone.id}`)).status, 404);
  t.is((await as.get(`/projects/${sibling.id}/milestones/${same.id}`)).status, 404);
  t.is((await as.get(`/groups/${group.id}/milestones/${milestone.id}`)).status, 200);
  const reporter = app.as(await app.build.member(project, 'reporter'));
  const { body: second } = await reporter.post(`/projects/${project.id}/milestones`, { title: '2.0' });
  t.is((await reporter.post(`/projects/${project.id}/milestones/${second.id}/promote`)).status, 403);
  const alone = await createContainer(app, 'project', 'milestones');
  const { id } = await milestoneIn(app, alone, { title: 'x' });
  t.is((await app.as(alone.owner).post(`${alone.path}/${id}/promote`)).status, 403);
});
