import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: core-5.star
test('starring a project answers it with its count, and is no change the second time', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const fan = app.as(await app.build.user());
  const { status, body } = await fan.post(`/projects/${project.id}/star`);
  t.is(status, 201);
  t.is(body.star_count, 1);
  const again = await fan.post(`/projects/${project.id}/star`);
  t.is(again.status, 304);
  t.is(again.text, '');
  t.is((await app.anonymous.get(`/projects/${project.id}`)).body.star_count, 1);
});

// Contract: core-5.star
test('a star is taken back once', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const fan = app.as(await app.build.user());
  t.is((await fan.post(`/projects/${project.id}/unstar`)).status, 304);
  await fan.post(`/projects/${project.id}/star`);
  const { status, body } = await fan.post(`/projects/${project.id}/unstar`);
  t.is(status, 201);
  t.is(body.star_count, 0);
  t.is((await fan.post(`/projects/${project.id}/unstar`)).status, 304);
});

// Contract: core-5.star
test('whoever may read a project may star it, nobody else', async (t) => {
  const project = await app.build.project({ empty: true });
  t.is((await app.as(await app.build.member(project, 'guest')).post(`/projects/${project.id}/star`)).status, 201);
  t.is((await app.as(await app.build.user()).post(`/projects/${project.id}/star`)).status, 404);
  t.is((await app.anonymous.post(`/projects/${project.id}/star`)).status, 401);
});

test.serial('a star moves neither updated_at nor the last activity', async (t) => {
  const project = await app.build.project({ empty: true });
  const owner = app.as(project.owner);
  const before = (await owner.get(`/projects/${project.id}`)).body;
  app.clock.advance('1 minute');
  const { body } = await owner.post(`/projects/${project.id}/star`);
  t.is(body.updated_at, before.updated_at);
  t.is(body.last_activity_at, before.last_activity_at);
});

// Contract: projects-1.starrers
test('starrers are listed with when they starred, and searched by name and username', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const [one, other] = [await app.build.user(), await app.build.user({ name: '100%_fan' })];
  for (const user of [one, other]) await app.as(user).post(`/projects/${project.id}/star`);
  const starredSince = app.clock.now().toISOString();
  const reader = app.as(await app.build.user());
  const { status, body } = await reader.get(`/projects/${project.id}/starrers`);
  t.is(status, 200);
  t.deepEqual(
    body.map(({ user, ...rest }: { user: { id: number } }) => ({ ...rest, id: user.id })),
    [one, other].map(({ id }) => ({ starred_since: starredSince, id })),
  );
  t.deepEqual(Object.keys(body[0].user).sort(), [
    'avatar_url',
    'id',
    'locked',
    'name',
    'public_email',
    'state',
    'username',
    'web_url',
  ]);
  const found = async (search: string) =>
    (await reader.get(`/projects/${project.id}/starrers?search=${encodeURIComponent(search)}`)).body.map(
      ({ user }: { user: { id: number } }) => user.id,
    );
  t.deepEqual(await found('0%_F'), [other.id]);
  t.deepEqual(await found(one.username.toUpperCase()), [one.id]);
  t.deepEqual(await found('100x'), []);
  t.is((await app.anonymous.get(`/projects/${project.id}/starrers`)).status, 401);
});

// Contract: projects-1.starrers
test('a private profile keeps its star to itself and to administrators [unverified]', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const [shy, fan] = [await app.build.user(), await app.build.user()];
  for (const user of [shy, fan]) await app.as(user).post(`/projects/${project.id}/star`);
  const admin = await app.build.admin();
  await app.as(admin).put(`/users/${shy.id}`, { private_profile: true });
  const starrerIds = async (user: typeof shy) =>
    (await app.as(user).get(`/projects/${project.id}/starrers`)).body.map(
      (star: { user: { id: number } }) => star.user.id,
    );
  t.deepEqual(await starrerIds(project.owner), [fan.id]);
  t.deepEqual(await starrerIds(shy), [shy.id, fan.id]);
  t.deepEqual(await starrerIds(admin), [shy.id, fan.id]);
  t.is((await app.as(fan).get(`/projects/${project.id}`)).body.star_count, 2);
});

// Contract: core-5.star
test('many stars at once are all counted, and one user stars once', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const fans = await Promise.all(Array.from({ length: 5 }, () => app.build.user()));
  const twice = [...fans, ...fans];
  const answers = await Promise.all(twice.map((fan) => app.as(fan).post(`/projects/${project.id}/star`)));
  t.is(answers.filter(({ status }) => status === 201).length, fans.length);
  t.is(answers.filter(({ status }) => status === 304).length, fans.length);
  t.is((await app.anonymous.get(`/projects/${project.id}`)).body.star_count, fans.length);
});

test('an archived project can be starred', async (t) => {
  const project = await app.build.project({ empty: true });
  await app.as(project.owner).post(`/projects/${project.id}/archive`);
  t.is((await app.as(project.owner).post(`/projects/${project.id}/star`)).status, 201);
});
