import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';

const app = useApp(test);

// Contract: core-1.clients
test('gitbeaker takes a user through a whole life', async (t) => {
  const admin = await app.build.admin();
  const client = new Gitlab({ host: app.url, token: admin.token });
  const { Users } = client;
  const name = `beaker${unique()}`;
  const user = await Users.create({
    email: `${name}@example.com`,
    name: 'Beaker',
    username: name,
    password: 'correct horse 42 battery',
    skipConfirmation: true,
  });
  t.is(user.username, name);
  t.is((await Users.show(user.id)).name, 'Beaker');
  t.is((await Users.edit(user.id, { bio: 'Glass', organization: 'Lab' })).work_information, 'Lab');
  t.deepEqual(
    (await Users.all({ search: name })).map(({ id }) => id),
    [user.id],
  );
  t.is((await Users.showCurrentUser()).id, admin.id);

  t.is((await Users.follow(user.id)).id, user.id);
  t.deepEqual(
    (await Users.allFollowers(user.id)).map(({ id }) => id),
    [admin.id],
  );
  t.is((await Users.unfollow(user.id)).id, user.id);

  await Users.editStatus({ message: 'Busy', emoji: 'coffee' });
  t.is((await Users.showStatus({ iDOrUsername: admin.id })).message, 'Busy');

  await Users.block(user.id);
  t.is((await Users.show(user.id)).state, 'blocked');
  await Users.unblock(user.id);
  await Users.deactivate(user.id);
  await Users.activate(user.id);
  await Users.ban(user.id);
  t.is((await Users.show(user.id)).state, 'banned');
  await Users.unban(user.id);
  t.is((await Users.show(user.id)).state, 'active');

  const group = await app.build.group();
  t.deepEqual(
    (await Users.allMemberships(group.owner.id)).map(({ source_id, access_level }) => [source_id, access_level]),
    [[group.id, 50]],
  );

  await Users.remove(user.id);
  await app.work();
  await t.throwsAsync(Users.show(user.id), { message: /404|Not Found/ });
});

// Contract: core-1.clients
test('gitbeaker pages users by keyset to the last one', async (t) => {
  const admin = await app.build.admin();
  const tag = `kb${unique()}x`;
  for (let index = 0; index < 5; index += 1) await app.build.user({ username: `${tag}${index}` });
  const client = new Gitlab({ host: app.url, token: admin.token });
  const users = await client.Users.all({
    search: tag,
    pagination: 'keyset',
    orderBy: 'username',
    sort: 'asc',
    perPage: 2,
  } as never);
  t.deepEqual(
    users.map(({ username }) => username),
    [0, 1, 2, 3, 4].map((number) => `${tag}${number}`),
  );
});
