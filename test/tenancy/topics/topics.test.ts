import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { unique } from '../../core/builders.js';

const app = useApp(test);
const word = () => `w${unique()}x${Math.random().toString(36).slice(2, 8)}`;

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A project of a user with these topics. */
async function projectWith(topics: string[], visibility = 'public') {
  const project = await app.build.project({ empty: true, visibility });
  await app.as(project.owner).put(`/projects/${project.id}`, { topics });
  return project;
}

async function findTopic(name: string) {
  const { body } = await app.anonymous.get(`/topics?search=${name}`);
  return (body as { id: number; name: string; total_projects_count: number }[]).find((one) => one.name === name);
}

// Contract: topics.list
test('topics are listed for everybody, those of most projects first, found by a part of the name', async (t) => {
  const tag = word();
  await projectWith([`${tag}-a`, `${tag}-b`]);
  await projectWith([`${tag}-b`]);
  const { status, body } = await app.anonymous.get(`/topics?search=${tag.toUpperCase()}`);
  t.is(status, 200);
  t.deepEqual(
    body.map(({ id: _id, ...rest }: { id: number }) => rest),
    [
      ['b', 2],
      ['a', 1],
    ].map(([letter, count]) => ({
      name: `${tag}-${letter}`,
      title: `${tag}-${letter}`,
      description: null,
      total_projects_count: count,
      organization_id: 1,
      avatar_url: null,
    })),
  );
  t.deepEqual((await app.anonymous.get(`/topics?search=${tag}%25`)).body, []);
});

// Contract: topics.list
test('a topic counts its projects, and without_projects lists those that have none', async (t) => {
  const name = word();
  const project = await projectWith([name]);
  t.is((await findTopic(name))?.total_projects_count, 1);
  t.deepEqual((await app.anonymous.get(`/topics?search=${name}&without_projects=true`)).body, []);
  await app.as(project.owner).put(`/projects/${project.id}`, { topics: [] });
  t.is((await app.anonymous.get(`/topics?search=${name}&without_projects=true`)).body[0].total_projects_count, 0);
});

// Contract: topics.get
test('a topic is read by id, and an unknown one is not found', async (t) => {
  const name = word();
  await projectWith([name]);
  const found = await findTopic(name);
  t.is((await app.anonymous.get(`/topics/${found?.id}`)).body.name, name);
  const { status, body } = await app.anonymous.get('/topics/99999999');
  t.is(status, 404);
  t.deepEqual(body, { message: '404 Not found' });
});

// Contract: topics.write
test('administrators create, edit and delete topics, and nobody else', async (t) => {
  const admin = app.as(await app.build.admin());
  const name = word();
  const created = await admin.post('/topics', { name, title: 'A Title', description: 'About it' });
  t.is(created.status, 201);
  t.like(created.body, { name, title: 'A Title', description: 'About it', total_projects_count: 0 });
  const path = `/topics/${created.body.id}`;
  const edited = await admin.put(path, { title: 'Another', description: null });
  t.is(edited.status, 200);
  t.like(edited.body, { name, title: 'Another', description: null });
  const unchanged = await admin.put(path, {});
  t.deepEqual([unchanged.status, unchanged.body], [200, edited.body], 'nothing is asked of it');
  const user = app.as(await app.build.user());
  for (const [client, status] of [
    [app.anonymous, 401],
    [user, 403],
  ] as const) {
    t.is((await client.post('/topics', { name: word(), title: 'x' })).status, status);
    t.is((await client.put(path, { title: 'x' })).status, status);
    t.is((await client.delete(path)).status, status);
    t.is((await client.post('/topics/merge', { source_topic_id: 1, target_topic_id: 2 })).status, status);
  }
  t.is((await admin.delete(path)).status, 204);
  t.is((await admin.delete(path)).status, 404);
});

// Contract: topics.write
test('there is one organisation to have topics, and no other is found', async (t) => {
  const admin = app.as(await app.build.admin());
  const name = word();
  const response = await admin.post('/topics', { name, title: 'x', organization_id: 1 });
  t.deepEqual([response.status, response.body.organization_id], [201, 1]);
  t.is((await app.anonymous.get(`/topics?search=${name}&organization_id=1`)).body.length, 1);
  const missing = { message: '404 Organization Not Found' };
  for (const { status, body } of [
    await app.anonymous.get('/topics?organization_id=2'),
    await admin.post('/topics', { name: word(), title: 'x', organization_id: 2 }),
  ])
    t.deepEqual([status, body], [404, missing]);
});

// Contract: topics.write
test('deleting a topic takes it from its projects', async (t) => {
  const [gone, remaining] = [word(), word()];
  const project = await projectWith([gone, remaining]);
  const admin = app.as(await app.build.admin());
  await admin.delete(`/topics/${(await findTopic(gone))?.id}`);
  t.is(await findTopic(gone), undefined);
  const { body } = await app.anonymous.get(`/projects?topic=${gone}`);
  t.deepEqual(body, []);
  t.is((await app.anonymous.get(`/projects?topic=${remaining}`)).body[0].id, project.id);
});

// Contract: topics.write
test('names and titles must be there, fit, and names be taken once whatever their case', async (t) => {
  const admin = app.as(await app.build.admin());
  const name = word();
  await admin.post('/topics', { name, title: 'x' });
  const cases: [object, unknown][] = [
    [{ title: 'x' }, { error: 'name is missing' }],
    [{ name: word() }, { error: 'title is missing' }],
    [{ name: ' ', title: '' }, { message: { name: ["can't be blank"], title: ["can't be blank"] } }],
    [{ name: name.toUpperCase(), title: 'x' }, { message: { name: ['has already been taken'] } }],
    [{ name: 'n'.repeat(256), title: 'x' }, { message: { name: ['is too long (maximum is 255 characters)'] } }],
    [{ name: 'a\nb', title: 'x' }, { message: { name: ['has characters that are not allowed'] } }],
    [
      { name: word(), title: 'x', description: 'd'.repeat(1025) },
      { message: { description: ['is too long (maximum is 1024 characters)'] } },
    ],
  ];
  for (const [attributes, expected] of cases) {
    const { status, body } = await admin.post('/topics', attributes);
    t.is(status, 400);
    t.deepEqual(body, expected);
  }
  const other = await admin.post('/topics', { name: word(), title: 'x' });
  const clash = await admin.put(`/topics/${other.body.id}`, { name });
  t.is(clash.status, 400);
  t.deepEqual(clash.body, { message: { name: ['has already been taken'] } });
});

// Contract: topics.write
test('two creations of one topic at once: one is made, one refused', async (t) => {
  const admin = app.as(await app.build.admin());
  const name = word();
  const answers = await Promise.all(
    [name, name.toUpperCase()].map((one) => admin.post('/topics', { name: one, title: 'x' })),
  );
  t.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 400]);
});

// Contract: topics.merge
test('merging gives the projects of one topic the other, each once, and the first goes', async (t) => {
  const [from, to] = [word(), word()];
  await projectWith([from]);
  await projectWith([from, to]);
  const admin = app.as(await app.build.admin());
  const [source, target] = [(await findTopic(from))?.id, (await findTopic(to))?.id];
  const { status, body } = await admin.post('/topics/merge', { source_topic_id: source, target_topic_id: target });
  t.is(status, 201);
  t.like(body, { id: target, total_projects_count: 2 });
  t.is(await findTopic(from), undefined);
  const same = await admin.post('/topics/merge', { source_topic_id: target, target_topic_id: target });
  t.is(same.status, 400);
  t.deepEqual(same.body, { message: 'The source topic and the target topic are identical.' });
  for (const missing of [target, 99_999_999]) {
    const answer = await admin.post('/topics/merge', { source_topic_id: 99_999_999, target_topic_id: missing });
    t.is(answer.status, 404);
  }
});

// Contract: topics.write
test('a topic has a picture, which goes with it', async (t) => {
  const admin: BuiltUser = await app.build.admin();
  const form = new FormData();
  form.set('name', word());
  form.set('title', 'x');
  form.set('avatar', new File([PIXEL], 'pixel.png', { type: 'image/png' }));
  const { body } = await app.as(admin).raw('POST', '/api/v4/topics', form);
  const path = new URL(body.avatar_url).pathname;
  t.is((await app.anonymous.raw('GET', path)).status, 200);
  await app.as(admin).delete(`/topics/${body.id}`);
  t.is((await app.anonymous.raw('GET', path)).status, 404);
});

// Contract: topics.list
test('a topic counts the projects that the caller may see, and its rank tells no more', async (t) => {
  const tag = word();
  const [one, other] = [`${tag}-one`, `${tag}-other`];
  const hidden = await projectWith([one], 'private');
  await app.as(hidden.owner).put(`/projects/${hidden.id}`, { topics: [one] });
  const open = await projectWith([other]);
  const listTopics = async (client: typeof app.anonymous, query = '') =>
    (await client.get(`/topics?search=${tag}${query}`)).body.map(
      ({ name, total_projects_count: count }: { name: string; total_projects_count: number }) => [name, count],
    );
  const admin = app.as(await app.build.admin());
  const visitor = app.as(await app.build.user());
  t.deepEqual(await listTopics(admin), [
    [one, 1],
    [other, 1],
  ]);
  for (const client of [visitor, app.anonymous]) {
    t.deepEqual(await listTopics(client), [
      [other, 1],
      [one, 0],
    ]);
    t.deepEqual(await listTopics(client, '&without_projects=true'), [[one, 0]]);
  }
  t.deepEqual((await listTopics(app.as(hidden.owner))).toSorted(), [
    [one, 1],
    [other, 1],
  ]);
  t.deepEqual(await listTopics(app.as(hidden.owner), '&without_projects=true'), []);
  // Whatever becomes of a project, its topics follow.
  await app.as(open.owner).put(`/projects/${open.id}`, { visibility: 'private' });
  t.deepEqual((await listTopics(app.anonymous)).toSorted(), [
    [one, 0],
    [other, 0],
  ]);
  await app.as(hidden.owner).put(`/projects/${hidden.id}`, { visibility: 'public' });
  t.deepEqual(await listTopics(app.anonymous), [
    [one, 1],
    [other, 0],
  ]);
  await app.as(hidden.owner).delete(`/projects/${hidden.id}`);
  await app.work();
  t.deepEqual(
    (await listTopics(app.anonymous)).find(([name]: [string]) => name === other),
    [other, 0],
  );
});
