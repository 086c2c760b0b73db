import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';

const app = useApp(test);

/** The least picture there is. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function form(fields: Record<string, string>, avatar?: Buffer): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  if (avatar) data.set('avatar', new Blob([new Uint8Array(avatar)]), 'picture.png');
  return data;
}

// Contract: core-3.settings.more
test('a group is made with a picture, which is served, replaced and removed', async (t) => {
  const owner = await app.build.user();
  const client = app.as(owner);
  const response = await client.raw('POST', '/api/v4/groups', form({ name: 'Pictured', path: 'pictured' }, PNG));
  t.is(response.status, 201);
  const url = response.body.avatar_url as string;
  t.regex(
    url,
    new RegExp(`^http://capstan\\.test/uploads/-/system/group/avatar/${response.body.id}/[0-9a-f]{32}\\.png$`),
  );
  t.is((await app.anonymous.raw('GET', new URL(url).pathname)).status, 200);
  const other = await client.raw('PUT', `/api/v4/groups/${response.body.id}`, form({}, PNG));
  t.not(other.body.avatar_url, url);
  t.is((await app.anonymous.raw('GET', new URL(url).pathname)).status, 404);
  const bad = await client.raw('PUT', `/api/v4/groups/${response.body.id}`, form({ name: 'New' }, Buffer.from('text')));
  t.is(bad.status, 400);
  t.truthy(bad.body.message.avatar);
  t.is((await client.get(`/groups/${response.body.id}`)).body.name, 'Pictured');
  t.is((await client.put(`/groups/${response.body.id}`, { avatar: '' })).body.avatar_url, null);
});

// Contract: core-3.settings.more
test('emails_disabled is the opposite of emails_enabled, which goes before it', async (t) => {
  const group = await app.build.group();
  const put = async (body: object) =>
    (await app.as(group.owner).put(`/groups/${group.id}`, body)).body as Record<string, unknown>;
  t.like(await put({ emails_disabled: true }), { emails_disabled: true, emails_enabled: false });
  t.like(await put({ emails_disabled: true, emails_enabled: true }), { emails_disabled: false, emails_enabled: true });
});

// Contract: core-3.settings.more
test('the first branch of new projects is chosen, and given back by an empty name or null', async (t) => {
  const group = await app.build.group({ default_branch: 'trunk' });
  const firstBranch = async () => (await app.build.projectIn(group, { empty: false })).default_branch;
  t.is(await firstBranch(), 'trunk');
  for (const none of ['', null]) {
    await app.as(group.owner).put(`/groups/${group.id}`, { default_branch: 'trunk' });
    const { body } = await app.as(group.owner).put(`/groups/${group.id}`, { default_branch: none });
    t.is(body.default_branch, null);
    t.is(await firstBranch(), 'main');
  }
});

// Contract: core-3.settings.more
test('how large artifacts may be is for administrators to say, and ignored of others', async (t) => {
  const group = await app.build.group();
  const admin = await app.build.admin();
  const put = (max_artifacts_size: unknown, by = admin) =>
    app.as(by).put(`/groups/${group.id}`, { max_artifacts_size });
  t.is((await put(5)).body.max_artifacts_size, 5);
  t.is((await put(7, group.owner as never)).body.max_artifacts_size, 5);
  t.is((await put(-1)).status, 400);
  t.is((await put('')).body.max_artifacts_size, null);
});

// Contract: core-3.settings.more
test('a lock on sharing holds for subgroups, from before and after, until one is opened by an Owner of its parent', async (t) => {
  const group = await app.build.group();
  const sub = await app.build.group({ owner: group.owner, parent: group });
  const put = async (of: { id: number }, share_with_group_lock: boolean, by = group.owner) =>
    app.as(by).put(`/groups/${of.id}`, { share_with_group_lock });
  await put(group, true);
  const late = await app.build.group({ owner: group.owner, parent: group });
  for (const below of [sub, late])
    t.true((await app.as(group.owner).get(`/groups/${below.id}`)).body.share_with_group_lock);
  const subOwner = await app.build.groupMember(sub, 'owner');
  const rejection = await put(sub, false, subOwner);
  t.is(rejection.status, 400);
  t.regex(rejection.body.message.share_with_group_lock[0], /^cannot be disabled when the parent group/);
  t.false((await put(sub, false)).body.share_with_group_lock);
  await put(group, false);
  t.true((await app.as(group.owner).get(`/groups/${late.id}`)).body.share_with_group_lock);
});

// Contract: core-3.audit
test('edits of a group are told in its audit events, attribute by attribute', async (t) => {
  const group = await app.build.group();
  await app
    .as(group.owner)
    .put(`/groups/${group.id}`, { visibility: 'internal', membership_lock: true, name: group.name });
  const events = await app.context().query<{ change: string; value_from: unknown; value_to: unknown }>(sql`
    select e.change, e.value_from, e.value_to from audit_events e
     where e.entity_type = 'Group' and e.entity_id = ${group.id} and e.event_name = 'group_updated' order by e.id`);
  t.deepEqual(events, [
    { change: 'visibility', value_from: 'private', value_to: 'internal' },
    { change: 'membership_lock', value_from: false, value_to: true },
  ]);
});
