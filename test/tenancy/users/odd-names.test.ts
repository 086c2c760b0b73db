import test from 'ava';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';

const app = useApp(test);

const person = () => {
  const number = unique();
  return {
    email: `odd${number}@example.com`,
    name: `Odd ${number}`,
    username: `odd${number}`,
    force_random_password: true,
  };
};

// Contract: core-1.bad-input
test('a name is any text that shows, and comes back as it was sent', async (t) => {
  const admin = app.as(await app.build.admin());
  const names = [
    '山田 太郎',
    'Zoë',
    'Zoe\u0308',
    '👩‍👩‍👧‍👦 Family',
    'שלום',
    '\u202Eevil',
    "Robert'); drop table users;--",
    '<script>alert(1)</script>',
    '%_\\',
    'İstanbul ß ﬃ',
    '𝒜𝓃𝓃',
    '😀'.repeat(255),
  ];
  for (const name of names) {
    const response = await admin.post('/users', { ...person(), name });
    t.is(response.status, 201, name);
    t.is(response.body.name, name);
    t.is((await admin.get(`/users/${response.body.id}`)).body.name, name);
  }
});

// Contract: core-1.bad-input
test('a name that shows as nothing is blank, one of half a character is invalid, a long one too long', async (t) => {
  const admin = app.as(await app.build.admin());
  const post = async (name: string) => (await admin.post('/users', { ...person(), name })).body as object;
  for (const name of ['', ' ', '\t\n', '\u00a0', '\u200b', '\u200b\u200d\ufeff', '\u3164', '\u2800', '\u202e'])
    t.deepEqual(await post(name), { message: { name: ["can't be blank"] } }, JSON.stringify(name));
  for (const name of ['a\0b', '\ud800', 'x\udc00y']) t.deepEqual(await post(name), { error: 'name is invalid' });
  t.deepEqual(await post('😀'.repeat(256)), { message: { name: ['is too long (maximum is 255 characters)'] } });
});

// Contract: core-1.bad-input
test('usernames that look like others by another alphabet or form are refused', async (t) => {
  const admin = app.as(await app.build.admin());
  const { username } = person();
  t.is((await admin.post('/users', { ...person(), username })).status, 201);
  for (const twin of [
    username.replace('o', 'о'), // Cyrillic
    username.replace('d', 'ｄ'), // fullwidth
    `${username}\u200b`,
    `\ufeff${username}`,
    `${username}\u0301`,
    '\u212a' + username, // Kelvin sign
    'ı' + username,
    `${username}/x`,
    `${username}%00`,
    `..${username}/..`,
    `${username} `,
    `${username}\n`,
  ]) {
    const answer = await admin.post('/users', { ...person(), username: twin });
    t.is(answer.status, 400, JSON.stringify(twin));
    t.truthy(answer.body.message.username, JSON.stringify(twin));
  }
});

// Contract: core-1.bad-input
test('case twins of users, groups and addresses are taken, in whatever order they come', async (t) => {
  const admin = app.as(await app.build.admin());
  const group = await app.build.group();
  const user = await app.build.user();
  const post = async (attributes: object) =>
    (await admin.post('/users', { ...person(), ...attributes })).body as object;
  t.deepEqual(await post({ username: group.path.toUpperCase() }), { message: 'Username has already been taken' });
  t.deepEqual(await post({ username: user.username.toUpperCase() }), { message: 'Username has already been taken' });
  t.deepEqual(await post({ email: `${user.username}@EXAMPLE.COM` }), { message: 'Email has already been taken' });
  const response = await app.as(group.owner).post('/groups', { name: 'Twin', path: user.username.toUpperCase() });
  t.is(response.status, 400);
  const renamed = await admin.put(`/users/${user.id}`, { username: group.path.toUpperCase() });
  t.is(renamed.status, 409);
  // Changing the case of one's own name does not conflict with another user.
  t.is((await admin.put(`/users/${user.id}`, { username: user.username.toUpperCase() })).status, 200);
});

// Contract: core-1.bad-input
test('of two who take case twins of one username at the same time one is let in', async (t) => {
  const admin = app.as(await app.build.admin());
  const { username } = person();
  const answers = await Promise.all(
    [username, username.toUpperCase(), `O${username.slice(1)}`].map((name) =>
      admin.post('/users', { ...person(), username: name }),
    ),
  );
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
});

// Contract: core-1.bad-input
test('addresses of odd forms are refused, ordinary ones of any script taken', async (t) => {
  const admin = app.as(await app.build.admin());
  for (const email of ['', ' ', 'a', '@', 'a@', '@b', 'a b@c', 'a@b@c', 'a@b\u200b', `${'x'.repeat(250)}@e.com`]) {
    const answer = await admin.post('/users', { ...person(), email });
    t.is(answer.status, 400, email);
    t.truthy(answer.body.message.email, email);
  }
  for (const email of [`plus+${unique()}@example.com`, `用户${unique()}@例子.广告`, `o'brien${unique()}@example.com`])
    t.is((await admin.post('/users', { ...person(), email })).status, 201, email);
});
