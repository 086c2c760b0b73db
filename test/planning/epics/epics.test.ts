import test from 'ava';
import { useApp } from '../../core/app.js';
import { epicIn } from './epic-steps.js';

const app = useApp(test);

// Contract: epics-8.create, epics-8.get, epics-8.record, epics-8.numbers
test('an epic shows every key of its record; it has no second id (work_item_id is null)', async (t) => {
  const group = await app.build.group();
  const as = app.as(group.owner);
  const epics = `/groups/${group.id}/epics`;
  const response = await as.post(epics, {
    title: ' Engine ',
    description: 'words',
    labels: 'b,a',
    color: 'red',
    start_date_is_fixed: true,
    start_date_fixed: '2030-01-01',
    due_date_fixed: '2030-02-01',
  });
  t.is(response.status, 201);
  const { body } = await as.get(`${epics}/1`);
  t.deepEqual(body, response.body);
  t.like(body, {
    iid: 1,
    work_item_id: null,
    color: '#FF0000',
    text_color: '#FFFFFF',
    group_id: group.id,
    parent_id: null,
    parent_iid: null,
    imported: false,
    imported_from: 'none',
    title: 'Engine',
    description: 'words',
    confidential: false,
    author: { id: group.owner.id },
    start_date: '2030-01-01',
    start_date_is_fixed: true,
    start_date_fixed: '2030-01-01',
    start_date_from_inherited_source: null,
    start_date_from_milestones: null,
    end_date: null,
    due_date: null,
    due_date_is_fixed: false,
    due_date_fixed: '2030-02-01',
    state: 'opened',
    references: { short: '&1', relative: '&1', full: `${group.full_path}&1` },
    closed_at: null,
    labels: ['a', 'b'],
    upvotes: 0,
    downvotes: 0,
    subscribed: true,
  });
  const url = `${app.url}/groups/${group.full_path}/-/epics/1`;
  t.is(body.web_url.endsWith(new URL(url).pathname), true);
  t.is(body.web_edit_url, `${body.web_url}/edit`);
  const api = body._links.group as string;
  t.true(api.endsWith(`/groups/${group.id}`));
  t.deepEqual(body._links, {
    self: `${api}/epics/1`,
    epic_issues: `${api}/epics/1/issues`,
    group: api,
    parent: null,
  });
  t.is((await as.post(epics, { title: 'x' })).body.color, '#1068bf');
  await as.delete(`${epics}/2`);
  t.is((await as.post(epics, { title: 'x' })).body.iid, 3);
});

// Contract: epics-8.dash
test('epics are served below /-/epics too', async (t) => {
  const group = await app.build.group();
  const as = app.as(group.owner);
  const { iid } = (await as.post(`/groups/${group.id}/-/epics`, { title: 'x' })).body;
  t.is((await as.get(`/groups/${group.id}/-/epics/${iid}`)).status, 200);
  t.is((await as.get(`/groups/${group.id}/-/epics`)).body.length, 1);
  t.is((await as.get(`/groups/${encodeURIComponent(group.full_path)}/epics/${iid}`)).status, 200);
});

// Contract: epics-8.update, epics-8.state, epics-8.labels
test('an edit changes what it names, closes, reopens, and changes labels', async (t) => {
  const group = await app.build.group();
  const as = app.as(group.owner);
  const { path } = await epicIn(app, group, { labels: 'a' });
  const edit = async (attributes: object) => (await as.put(path, attributes)).body;
  t.like(await edit({ title: 'Other', description: 'd', color: '#abc' }), {
    title: 'Other',
    description: 'd',
    color: '#aabbcc',
  });
  t.deepEqual((await edit({ add_labels: 'b,c', remove_labels: 'a' })).labels, ['b', 'c']);
  t.deepEqual((await edit({ labels: '' })).labels, []);
  const closed = await edit({ state_event: 'close' });
  t.is(closed.state, 'closed');
  t.truthy(closed.closed_at);
  t.like(await edit({ state_event: 'reopen' }), { state: 'opened', closed_at: null });
  t.like(await edit({ due_date_is_fixed: true, due_date_fixed: '2030-03-01' }), {
    due_date: '2030-03-01',
    end_date: '2030-03-01',
    due_date_is_fixed: true,
  });
  t.is((await edit({ due_date_is_fixed: false })).due_date, null);
  t.is((await as.put(path, {})).status, 400);
});

// Contract: epics-8.delete
test('an epic is deleted by an Owner; what was below it stays', async (t) => {
  const group = await app.build.group();
  const as = app.as(group.owner);
  const above = await epicIn(app, group);
  const below = await epicIn(app, group, { parent_id: above.id });
  const project = await app.build.projectIn(group, {});
  const issue = (await as.post(`/projects/${project.id}/issues`, { title: 'i', epic_id: above.id })).body;
  t.is(issue.epic.id, above.id);
  const reporter = await app.build.groupMember(group, 'maintainer');
  t.is((await app.as(reporter).delete(above.path)).status, 403);
  t.is((await as.delete(above.path)).status, 204);
  t.is((await as.get(above.path)).status, 404);
  t.is((await as.get(below.path)).body.parent_id, null);
  const after = (await as.get(`/projects/${project.id}/issues/${issue.iid}`)).body;
  t.deepEqual([after.epic, after.epic_iid], [null, null]);
});

// Contract: epics-8.parents, epics-8.depth
test('parents make a tree without circles, seven levels deep, within the tree of one top-level group', async (t) => {
  const group = await app.build.group();
  const subgroup = await app.build.group({ owner: group.owner, parent: group });
  const as = app.as(group.owner);
  const levels = [await epicIn(app, group)];
  for (let level = 2; level <= 7; level += 1)
    levels.push(
      await epicIn(app, level % 2 ? group : { ...subgroup, owner: group.owner }, { parent_id: levels.at(-1)?.id }),
    );
  const [top, second, third] = levels;
  t.like((await as.get(second?.path ?? '')).body, { parent_id: top?.id, parent_iid: top?.iid });
  t.true(((await as.get(second?.path ?? '')).body._links.parent as string).endsWith(top?.path ?? '?'));
  const assertRejected = async (attributes: object, text: string) => {
    const { status, body } = await as.post(`/groups/${group.id}/epics`, { title: 'x', ...attributes });
    t.deepEqual([status, body.message], [400, { parent: [text] }]);
  };
  await assertRejected({ parent_id: levels[6]?.id }, 'would make more than 7 levels of epics');
  await assertRejected({ parent_id: 999_999_999 }, 'not found');
  const elsewhere = await epicIn(app, await app.build.group({ owner: group.owner }));
  await assertRejected({ parent_id: elsewhere.id }, 'belongs to another tree of groups');
  for (const below of [top, third]) {
    const { status, body } = await as.put(top?.path ?? '', { parent_id: below?.id });
    t.deepEqual([status, body.message], [400, { parent: ['is the epic itself, or an epic below it'] }]);
  }
  // A tree of two levels does not fit below the sixth.
  const other = await epicIn(app, group);
  await epicIn(app, group, { parent_id: other.id });
  t.is((await as.put(other.path, { parent_id: levels[5]?.id })).status, 400);
  t.is((await as.put(other.path, { parent_id: levels[4]?.id })).status, 200);
  t.is((await as.put(other.path, { parent_id: 0 })).body.parent_id, null);
});

// Contract: epics-8.parents
test('of two moves that would make a circle together one is refused', async (t) => {
  const group = await app.build.group();
  const as = app.as(group.owner);
  for (let round = 0; round < 5; round += 1) {
    const [a, b] = [await epicIn(app, group), await epicIn(app, group)];
    const answers = await Promise.all([as.put(a.path, { parent_id: b.id }), as.put(b.path, { parent_id: a.id })]);
    t.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
  }
});

// Contract: epics-8.dates
test('dates that are not fixed come from the milestones of issues and from the epics below', async (t) => {
  const group = await app.build.group();
  const as = app.as(group.owner);
  const project = await app.build.projectIn(group, {});
  const milestone = async (title: string, start_date: string, due_date: string) =>
    (await as.post(`/groups/${group.id}/milestones`, { title, start_date, due_date })).body.id as number;
  const top = await epicIn(app, group);
  const middle = await epicIn(app, group, { parent_id: top.id });
  const fixed = await epicIn(app, group, {
    parent_id: middle.id,
    due_date_is_fixed: true,
    due_date_fixed: '2030-09-01',
  });
  const plan = (epic: { id: number }, milestone_id: number) =>
    as.post(`/projects/${project.id}/issues`, { title: 'i', epic_id: epic.id, milestone_id });
  await plan(middle, await milestone('a', '2030-03-01', '2030-04-01'));
  await plan(fixed, await milestone('b', '2030-02-01', '2031-01-01'));
  const dates = async ({ path }: { path: string }) => {
    const { start_date, due_date, start_date_from_milestones, due_date_from_inherited_source } = (await as.get(path))
      .body;
    return [start_date, due_date, start_date_from_milestones, due_date_from_inherited_source];
  };
  t.deepEqual(await dates(fixed), ['2030-02-01', '2030-09-01', '2030-02-01', '2031-01-01']);
  t.deepEqual(await dates(middle), ['2030-02-01', '2030-09-01', '2030-02-01', '2030-09-01']);
  t.deepEqual(await dates(top), ['2030-02-01', '2030-09-01', '2030-02-01', '2030-09-01']);
  t.is((await as.get(`/groups/${group.id}/epics`)).body.length, 3);
});

// Contract: epics-8.list, epics-8.filters, epics-8.order
test('a list takes every filter and order', async (t) => {
  const group = await app.build.group();
  const as = app.as(group.owner);
  const other = await app.build.groupMember(group, 'reporter');
  await epicIn(app, group, { title: 'b one', labels: 'x' });
  app.clock.advance('1 hour');
  await epicIn(app, group, { title: 'A two', labels: 'x,y', description: 'deep words' }, other);
  app.clock.advance('1 hour');
  const third = await epicIn(app, group, { title: 'c three', confidential: true });
  await as.put(third.path, { state_event: 'close' });
  await as.post(`/groups/${group.id}/epics/1/award_emoji`, { name: 'rocket' });
  const between = new Date(app.clock.now().getTime() - 1_800_000).toISOString();
  for (const [query, expected] of [
    ['', [3, 2, 1]],
    ['sort=asc', [1, 2, 3]],
    ['order_by=title&sort=asc', [2, 1, 3]],
    ['order_by=updated_at', [3, 2, 1]],
    ['state=opened', [2, 1]],
    ['state=closed', [3]],
    ['state=all', [3, 2, 1]],
    ['labels=x', [2, 1]],
    ['labels=x,y', [2]],
    ['labels=None', [3]],
    ['labels=Any', [2, 1]],
    [`author_id=${other.id}`, [2]],
    [`author_username=${other.username}`, [2]],
    ['search=deep', [2]],
    ['search=one', [1]],
    ['confidential=true', [3]],
    ['confidential=false', [2, 1]],
    ['iids[]=1&iids[]=3', [3, 1]],
    ['my_reaction_emoji=rocket', [1]],
    ['my_reaction_emoji=None', [3, 2]],
    [`created_after=${between}`, [3]],
    [`created_before=${between}`, [2, 1]],
    [`updated_after=${between}`, [3]],
    [`updated_before=${between}`, [2, 1]],
    ['not[labels]=y', [3, 1]],
    [`not[author_id]=${other.id}`, [3, 1]],
    [`not[author_username]=${other.username}`, [3, 1]],
    ['not[my_reaction_emoji]=rocket', [3, 2]],
  ] as const) {
    const { body } = await as.get(`/groups/${group.id}/epics?${query}`);
    t.deepEqual(
      body.map(({ iid }: { iid: number }) => iid),
      expected,
      query,
    );
  }
  const [first] = (await as.get(`/groups/${group.id}/epics?with_labels_details=true&labels=y`)).body;
  t.like(first.labels[0], { name: 'x', text_color: '#FFFFFF' });
  t.is(first.subscribed, undefined);
});

// Contract: epics-8.reach
test('a list holds the epics of the groups below unless told otherwise, and of those above where told', async (t) => {
  const above = await app.build.group();
  const { owner } = above;
  const group = { ...(await app.build.group({ owner, parent: above })), owner };
  const below = { ...(await app.build.group({ owner, parent: group })), owner };
  for (const [title, container] of [
    ['above', above],
    ['own', group],
    ['below', below],
  ] as const)
    await epicIn(app, container, { title });
  for (const [query, expected] of [
    ['', ['below', 'own']],
    ['include_descendant_groups=false', ['own']],
    ['include_ancestor_groups=true', ['above', 'below', 'own']],
    ['include_ancestor_groups=true&include_descendant_groups=false', ['above', 'own']],
  ] as const) {
    const { body } = await app.as(owner).get(`/groups/${group.id}/epics?order_by=title&sort=asc&${query}`);
    t.deepEqual(
      body.map(({ title }: { title: string }) => title),
      expected,
      query,
    );
  }
  const [listed] = (await app.as(owner).get(`/groups/${group.id}/epics?order_by=title&sort=asc`)).body;
  t.is(listed.references.relative, `${below.full_path}&1`);
});

// Contract: epics-8.confidential
test('what is below a confidential epic is confidential', async (t) => {
  const group = await app.build.group();
  const as = app.as(group.owner);
  const project = await app.build.projectIn(group, {});
  const open = await epicIn(app, group);
  const hidden = await epicIn(app, group, { confidential: true });
  t.is((await as.post(`/groups/${group.id}/epics`, { title: 'x', parent_id: hidden.id })).status, 400);
  const child = await epicIn(app, group, { confidential: true, parent_id: hidden.id });
  t.is((await as.put(child.path, { confidential: false })).status, 400);
  const issues = `/projects/${project.id}/issues`;
  t.is((await as.post(issues, { title: 'i', epic_id: hidden.id })).status, 400);
  const own = (await as.post(issues, { title: 'i', confidential: true, epic_id: hidden.id })).body;
  t.is((await as.put(`${issues}/${own.iid}`, { confidential: false })).status, 400);
  t.is((await as.put(`${issues}/${own.iid}`, { confidential: false, epic_id: open.id })).status, 200);
  t.is((await as.put(open.path, { confidential: true })).status, 400);
});

// Contract: epics-8.errors
test('values that are no good are told by their names', async (t) => {
  const group = await app.build.group();
  const as = app.as(group.owner);
  const epics = `/groups/${group.id}/epics`;
  for (const [attributes, expected] of [
    [{}, { error: 'title is missing' }],
    [{ title: ' ' }, { message: { title: ["can't be blank"] } }],
    [{ title: 'x'.repeat(256) }, { message: { title: ['is too long (maximum is 255 characters)'] } }],
    [
      { title: 'x', description: 'x'.repeat(1_048_577) },
      { message: { description: ['is too long (maximum is 1048576 characters)'] } },
    ],
    [{ title: 'x', color: 'nothing' }, { message: { color: ['must be a valid color code'] } }],
    [{ title: 'x', due_date_fixed: '2030-02-30' }, { error: 'due_date_fixed is invalid' }],
    [
      { title: 'x', labels: 'l'.repeat(256) },
      { message: { labels: ['title is too long (maximum is 255 characters)'] } },
    ],
  ] as const) {
    const { status, body } = await as.post(epics, attributes);
    t.deepEqual([status, body], [400, expected]);
  }
  t.is((await as.get(`${epics}/99999999999`)).status, 404);
});

// Contract: epics-8.events, epics-8.emoji, epics-8.subscribe
test('events tell of labels and states, emoji count as votes, and subscriptions are kept', async (t) => {
  const group = await app.build.group();
  const as = app.as(group.owner);
  const { id, path } = await epicIn(app, group, { labels: 'a' });
  await as.put(path, { state_event: 'close', labels: 'b' });
  const events = `/groups/${group.id}/epics/${id}`;
  const labels = (await as.get(`${events}/resource_label_events`)).body;
  t.deepEqual(
    labels.map(({ action, label, resource_type, resource_id }: Record<string, { name: string }>) => [
      action,
      label?.name,
      resource_type,
      resource_id,
    ]),
    [
      ['add', 'a', 'Epic', id],
      ['add', 'b', 'Epic', id],
      ['remove', 'a', 'Epic', id],
    ],
  );
  t.is((await as.get(`${events}/resource_label_events/${labels[0].id}`)).body.id, labels[0].id);
  const [state] = (await as.get(`${events}/resource_state_events`)).body;
  t.like(state, { state: 'closed', resource_type: 'Epic', resource_id: id });
  t.is((await as.get(`${events}/resource_state_events/${state.id}`)).status, 200);
  t.like((await as.post(`${path}/award_emoji`, { name: 'thumbsup' })).body, {
    awardable_type: 'Epic',
    awardable_id: id,
  });
  t.is((await as.get(path)).body.upvotes, 1);
  t.is((await as.post(`${path}/subscribe`, {})).status, 304);
  t.is((await as.post(`${path}/unsubscribe`, {})).body.subscribed, false);
  t.is((await as.post(`${path}/subscribe`, {})).body.subscribed, true);
});
