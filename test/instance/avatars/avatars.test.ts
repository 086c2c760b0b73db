import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { sql } from 'kysely';
import { moveAvatars } from '../../../shared/instance/avatars/move-avatars.js';
import { unique } from '../../core/builders.js';
import { useApp } from '../../core/app.js';
import type { Answer, Client } from '../../core/client.js';

const app = useApp(test);

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

function form(file: Buffer, name = 'face.png', fields: Record<string, string> = {}): FormData {
  const data = new FormData();
  for (const [key, value] of Object.entries(fields)) data.append(key, value);
  data.append('avatar', new Blob([new Uint8Array(file)], { type: 'image/png' }), name);
  return data;
}

const put = (client: Client, userId: number, file: Buffer, name?: string): Promise<Answer> =>
  client.raw('PUT', `/api/v4/users/${userId}`, form(file, name));

const local = (url: string) => app.url + new URL(url).pathname;

/** Names of a user's pictures that are in the store. */
async function getFiles(userId: number): Promise<string[]> {
  const rows = await app.context().query<{ name: string; key: string }>(sql`
    select i.name as "name", o.key as "key" from pictures i join stored_objects o on o.id = i.object_id
     where i.owner_kind = 'user' and i.owner_id = ${userId}`);
  const stored = rows.filter(({ key }) => existsSync(path.join(app.services.config.dataDir, 'objects', key)));
  return stored.map(({ name }) => name);
}

// Contract: core-1.avatar
test('a picture is stored by a multipart request and served at its avatar_url to everybody who knows it', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  const { status, body } = await put(app.as(admin), user.id, PNG);
  t.is(status, 200);
  t.regex(body.avatar_url, /^http:\/\/capstan\.test\/uploads\/-\/system\/user\/avatar\/\d+\/[0-9a-f]{32}\.png$/);
  const served = await fetch(local(body.avatar_url));
  t.is(served.status, 200);
  t.deepEqual(Buffer.from(await served.arrayBuffer()), PNG);
  t.is(served.headers.get('content-type'), 'image/png');
  t.is(served.headers.get('x-content-type-options'), 'nosniff');
  t.regex(served.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  const revalidated = await fetch(local(body.avatar_url), {
    headers: { 'If-None-Match': served.headers.get('etag') ?? '' },
  });
  t.is(revalidated.status, 304);
  t.is((await app.as(user).get('/user')).body.avatar_url, body.avatar_url);
});

// Contract: core-1.avatar
test('a new user comes with a picture where one is sent', async (t) => {
  const admin = await app.build.admin();
  const number = unique();
  const fields = {
    email: `pictured${number}@example.com`,
    name: 'Pictured',
    username: `pictured${number}`,
    force_random_password: 'true',
  };
  const { status, body } = await app.as(admin).raw('POST', '/api/v4/users', form(GIF, 'x.exe', fields));
  t.is(status, 201);
  t.is((await fetch(local(body.avatar_url))).headers.get('content-type'), 'image/gif');
});

// Contract: core-1.avatar
test('another picture takes the place of the first, whose file goes', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  const first = (await put(app.as(admin), user.id, PNG)).body.avatar_url as string;
  const second = (await put(app.as(admin), user.id, GIF)).body.avatar_url as string;
  t.not(first, second);
  t.is((await fetch(local(first))).status, 404);
  t.is((await fetch(local(second))).status, 200);
  t.is((await getFiles(user.id)).length, 1);
});

const drawn = (user: { id: number }) => `http://capstan.test/-/identicons/users/${user.id}.svg`;

test('a person without a picture is shown by a drawing of their id, kept for a day, that runs nothing', async (t) => {
  const [user, other] = await Promise.all([app.build.user(), app.build.user()]);
  const { body } = await app.as(user).get('/user');
  t.is(body.avatar_url, drawn(user));
  const [mine, theirs] = await Promise.all([fetch(local(drawn(user))), fetch(local(drawn(other)))]);
  t.is(mine.status, 200);
  t.is(mine.headers.get('content-type'), 'image/svg+xml');
  t.is(mine.headers.get('cache-control'), 'public, max-age=86400');
  t.is(mine.headers.get('content-security-policy'), "default-src 'none'; sandbox");
  const picture = await mine.text();
  t.regex(picture, /^<svg /);
  t.not(picture, await theirs.text());
  t.is(await (await fetch(local(drawn(user)))).text(), picture);
  const etag = mine.headers.get('etag') ?? '';
  t.is((await fetch(local(drawn(user)), { headers: { 'if-none-match': etag } })).status, 304);
  // The response does not reveal which ids exist.
  t.is((await fetch(local(drawn({ id: 999_999_999 })))).status, 200);
  t.is((await fetch(local('http://capstan.test/-/identicons/users/x.svg'))).status, 404);
});

// Contract: core-1.avatar
test('an empty avatar removes the picture, and an edit without one keeps it', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  const url = (await put(app.as(admin), user.id, PNG)).body.avatar_url as string;
  t.is((await app.as(admin).put(`/users/${user.id}`, { bio: 'x' })).body.avatar_url, url);
  t.is((await app.as(admin).put(`/users/${user.id}`, { avatar: '' })).body.avatar_url, drawn(user));
  t.is((await fetch(local(url))).status, 404);
  t.deepEqual(await getFiles(user.id), []);
});

// Contract: core-1.avatar
test('people change their own picture', async (t) => {
  const user = await app.build.user();
  const { status, body } = await app.as(user).raw('PUT', '/api/v4/user/avatar', form(PNG));
  t.is(status, 200);
  t.deepEqual(Object.keys(body), ['avatar_url']);
  t.is((await fetch(local(body.avatar_url))).status, 200);
  t.deepEqual((await app.as(user).put('/user/avatar', { avatar: '' })).body, { avatar_url: drawn(user) });
  t.deepEqual((await app.as(user).put('/user/avatar', {})).body, { error: 'avatar is missing' });
  t.is((await app.anonymous.raw('PUT', '/api/v4/user/avatar', form(PNG))).status, 401);
});

test('an empty file removes the picture, as an empty text does', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  t.truthy((await put(app.as(admin), user.id, PNG, 'face.png')).body.avatar_url);
  const { status, body } = await put(app.as(admin), user.id, Buffer.from(''), 'avatar.png');
  t.is(status, 200);
  t.is(body.avatar_url, drawn(user));
});

// Contract: core-3.avatar
test('whoever may read a group or project downloads its picture, anonymously where it is public', async (t) => {
  const owner = await app.build.user();
  const stranger = await app.build.user();
  for (const [kind, of] of [
    ['groups', await app.build.group({ owner })],
    ['projects', await app.build.project({ owner })],
  ] as const) {
    const at = `/api/v4/${kind}/${of.id}/avatar`;
    const none = await app.as(owner).raw('GET', at);
    t.deepEqual([none.status, none.body], [404, { message: '404 Avatar Not Found' }]);
    const set = await app.as(owner).raw('PUT', `/api/v4/${kind}/${of.id}`, form(PNG));
    t.is(set.status, 200);
    const headers = { 'PRIVATE-TOKEN': owner.token };
    const served = await fetch(app.url + at, { headers });
    t.is(served.status, 200);
    t.is(served.headers.get('content-type'), 'image/png');
    t.regex(served.headers.get('content-disposition') ?? '', /^attachment; filename="[0-9a-f]{32}\.png"$/);
    t.deepEqual(Buffer.from(await served.arrayBuffer()), PNG);
    t.is((await app.as(stranger).raw('GET', at)).status, 404);
    t.is((await fetch(app.url + at)).status, 404);
    await app.as(owner).put(`/${kind}/${of.id}`, { visibility: 'public' });
    t.is((await fetch(app.url + at)).status, 200);
  }
});

// Contract: core-1.avatar.refused
test('what is no picture is refused whatever it is called, and nothing is changed', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  const bad = [
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    Buffer.from('<!doctype html><script>alert(1)</script>'),
    Buffer.from([0x89, 0x50]),
  ];
  for (const file of bad) {
    const { status, body } = await put(app.as(admin), user.id, file, 'face.png');
    t.is(status, 400);
    t.regex(body.message.avatar[0], /^file format is not supported\. Please try one of .* image\/png, image\/jpeg/);
  }
  t.deepEqual((await app.as(admin).put(`/users/${user.id}`, { avatar: 'text' })).body, { error: 'avatar is invalid' });
  t.is((await app.as(user).get('/user')).body.avatar_url, drawn(user));
  t.deepEqual(await getFiles(user.id), []);
});

// Contract: core-1.avatar.refused
test('a picture above 200 KiB is refused by name, a much larger one as too large', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  const sized = (bytes: number) => Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]);
  t.is((await put(app.as(admin), user.id, sized(200 * 1024))).status, 200);
  const { status, body } = await put(app.as(admin), user.id, sized(200 * 1024 + 1));
  t.is(status, 400);
  t.deepEqual(body, { message: { avatar: ['is too big (should be at most 200 KiB)'] } });
  t.is((await put(app.as(admin), user.id, sized(3 * 1024 * 1024))).status, 413);
  t.is((await getFiles(user.id)).length, 1);
});

// Contract: core-1.avatar.refused
test('an edit that is refused leaves no file behind', async (t) => {
  const [user, other, admin] = await Promise.all([app.build.user(), app.build.user(), app.build.admin()]);
  const before = (await put(app.as(admin), user.id, PNG)).body.avatar_url as string;
  const ctx = app.context();
  await t.throwsAsync(
    ctx.transaction(async () => {
      const { replaceAvatar } = await import('../../../shared/instance/avatars/avatars.js');
      const { Upload } = await import('../../../shared/core/values/upload.js');
      const stored = path.join(await mkdtemp(path.join(app.services.config.dataDir, 'given-')), 'a.png');
      await writeFile(stored, PNG);
      const name = await replaceAvatar(
        ctx,
        { kind: 'user', id: other.id },
        null,
        new Upload(stored, 'a', 'image/png', 9),
      );
      t.regex(name ?? '', /^[0-9a-f]{32}\.png$/);
      throw new Error('not after all');
    }),
    { message: 'not after all' },
  );
  t.deepEqual(await getFiles(other.id), []);
  t.is((await fetch(local(before))).status, 200);
});

// Contract: core-1.avatar.refused
test('only names that were given out are served: no path leads elsewhere', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  const url = local((await put(app.as(admin), user.id, PNG)).body.avatar_url as string);
  for (const bad of [
    url.replace(/\.png$/, '.svg'),
    url.replace('/user/', '/group/'),
    url.replace(/[0-9a-f]{32}/, '0'.repeat(32)),
    url.replace(/[^/]+$/, '..%2f..%2fsecret_key_base'),
    `${app.url}/uploads/-/system/user/avatar/${user.id}/`,
  ])
    t.is((await fetch(bad)).status, 404, bad);
  t.is((await fetch(url, { method: 'DELETE' })).status, 404);
  t.is((await fetch(url, { method: 'HEAD' })).status, 200);
});

test('pictures of earlier versions are served from where they lie, and move into the store once', async (t) => {
  const [user, other] = [await app.build.user(), await app.build.user()];
  const name = `${'0123456789abcdef'.repeat(2)}.png`;
  const { dataDir } = app.services.config;
  for (const { id } of [user, other]) {
    await mkdir(path.join(dataDir, 'avatars', 'user', String(id)), { recursive: true });
    await writeFile(path.join(dataDir, 'avatars', 'user', String(id), name), PNG);
  }
  // Of the other one it was left behind.
  await app.context().query(sql`update users set avatar = ${name} where id = ${user.id}`);
  const url = `${app.url}/uploads/-/system/user/avatar/${user.id}/${name}`;
  t.is((await fetch(url)).status, 200);
  t.is(await moveAvatars(app.context()), 1);
  t.false(existsSync(path.join(dataDir, 'avatars')));
  const served = await fetch(url);
  t.deepEqual(Buffer.from(await served.arrayBuffer()), PNG);
  t.deepEqual(await getFiles(user.id), [name]);
  t.deepEqual(await getFiles(other.id), []);
  t.is(await moveAvatars(app.context()), 0);
});
