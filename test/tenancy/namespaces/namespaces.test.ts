import test from 'ava';
import { Gitlab } from '@gitbeaker/rest';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { unique } from '../../core/builders.js';

const app = useApp(test);
const word = () => `w${unique()}x${Math.random().toString(36).slice(2, 8)}`;

async function getPaths(by: BuiltUser, query = ''): Promise<string[]> {
  const { status, body } = await app.as(by).get(`/namespaces?per_page=100&${query}`);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return (body as { full_path: string }[]).map((namespace) => namespace.full_path);
}

// Contract: namespaces.list
test("one's namespaces are one's own and the groups that one belongs to, oldest first", async (t) => {
  const user = await app.build.user();
  const group = await app.build.group({ owner: user });
  const sub = await app.build.group({ parent: group, owner: user });
  const joined = await app.build.group();
  await app.build.groupMember(joined, 'guest', user);
  await app.build.group({ visibility: 'public' });
  t.deepEqual(await getPaths(user), [user.username, group.full_path, sub.full_path, joined.full_path]);
  t.deepEqual(await getPaths(user, 'owned_only=true'), [user.username, group.full_path, sub.full_path]);
  t.deepEqual(await getPaths(user, 'top_level_only=true'), [user.username, group.full_path, joined.full_path]);
});

// Contract: namespaces.list
test('administrators list every namespace, and what they own where that is asked for', async (t) => {
  const admin = await app.build.admin();
  const other = await app.build.user();
  t.deepEqual(await getPaths(admin, `search=${other.username}`), [other.username]);
  t.deepEqual(await getPaths(admin, 'owned_only=true'), [admin.username]);
});

// Contract: namespaces.list
test('a search finds a part of name or path, or of the full path, with wildcards as themselves', async (t) => {
  const owner = await app.build.user();
  const tag = word();
  const top = await app.build.group({ owner, name: 'Top', path: `top-${tag}` });
  const sub = await app.build.group({ owner, parent: top, name: `Sub ${tag}`, path: 'sub_x' });
  t.deepEqual(await getPaths(owner, `search=${tag}`), [top.full_path, sub.full_path]);
  t.deepEqual(await getPaths(owner, 'search=SUB_X'), [sub.full_path]);
  t.deepEqual(await getPaths(owner, 'search=sub%25x'), []);
  t.deepEqual(await getPaths(owner, `search=${tag}/sub`), []);
  t.deepEqual(await getPaths(owner, `search=${tag}/sub&full_path_search=true`), [sub.full_path]);
});

// Contract: namespaces.get
test('a namespace is read by id or path, and shows its Owners how much is in it', async (t) => {
  const owner = await app.build.user();
  const group = await app.build.group({ owner, visibility: 'public' });
  const sub = await app.build.group({ owner, parent: group });
  await app.build.projectIn(sub);
  await app.build.groupMember(sub, 'developer');
  const { body } = await app.as(owner).get(`/namespaces/${group.id}`);
  t.deepEqual(body, {
    id: group.id,
    name: group.name,
    path: group.path,
    kind: 'group',
    full_path: group.full_path,
    parent_id: null,
    avatar_url: null,
    web_url: `http://capstan.test/groups/${group.full_path}`,
    members_count_with_descendants: 2,
    billable_members_count: 2,
    projects_count: 1,
    plan: 'ultimate',
    end_date: null,
    trial_ends_on: null,
    trial: false,
    root_repository_size: 0,
  });
  const byPath = await app.as(owner).get(`/namespaces/${encodeURIComponent(sub.full_path.toUpperCase())}`);
  t.is(byPath.body.id, sub.id);
  t.false('root_repository_size' in byPath.body);
  const stranger = await app.as(await app.build.user()).get(`/namespaces/${group.id}`);
  t.is(stranger.status, 200);
  t.false('plan' in stranger.body || 'members_count_with_descendants' in stranger.body);
});

// Contract: namespaces.get
test('in a personal namespace its person is counted, and who is in its projects', async (t) => {
  const owner = await app.build.user();
  const read = async () => (await app.as(owner).get(`/namespaces/${owner.username}`)).body as object;
  t.like(await read(), { kind: 'user', billable_members_count: 1, projects_count: 0 });
  await app.build.member(await app.build.project({ owner }), 'guest');
  t.like(await read(), { billable_members_count: 2, projects_count: 1 });
});

// Contract: namespaces.get
test("a personal namespace is its person's, a private group its members', and all else is not found", async (t) => {
  const user = await app.build.user();
  const other = await app.build.user();
  const hidden = await app.build.group();
  const own = await app.as(user).get(`/namespaces/${user.username}`);
  t.is(own.body.kind, 'user');
  t.is(own.body.web_url, `http://capstan.test/${user.username}`);
  t.is((await app.as(await app.build.admin()).get(`/namespaces/${user.namespace_id}`)).status, 200);
  for (const path of [user.username, String(hidden.id), '99999999', '9'.repeat(30)]) {
    const { status, body } = await app.as(other).get(`/namespaces/${path}`);
    t.is(status, 404, path);
    t.deepEqual(body, { message: '404 Namespace Not Found' }, path);
  }
});

// Contract: namespaces.exists
test('whether a path is taken is told whatever its case, with a free one beside it', async (t) => {
  const owner = await app.build.user();
  const path = word();
  const group = await app.build.group({ owner, path });
  await app.build.group({ owner, path: `${path}1` });
  await app.build.group({ owner, parent: group, path: 'inner' });
  const ask = async (name: string, query = '', by = owner) =>
    (await app.as(by).get(`/namespaces/${name}/exists${query}`)).body;
  t.deepEqual(await ask(path.toUpperCase()), { exists: true, suggests: [`${path.toUpperCase()}2`] });
  t.deepEqual(await ask(owner.username), { exists: true, suggests: [`${owner.username}1`] });
  t.deepEqual(await ask(word()), { exists: false, suggests: [] });
  t.deepEqual(await ask('inner'), { exists: false, suggests: [] });
  t.deepEqual(await ask('inner', `?parent_id=${group.id}`), { exists: true, suggests: ['inner1'] });
  const stranger = await app.build.user();
  t.deepEqual(await ask('inner', `?parent_id=${group.id}`, stranger), { message: '404 Namespace Not Found' });
  t.deepEqual(await ask('inner', '?parent_id=x'), { error: 'parent_id is invalid' });
});

// Contract: namespaces.list
test('namespaces need somebody who is signed in', async (t) => {
  for (const path of ['/namespaces', '/namespaces/1', '/namespaces/x/exists']) {
    const { status, body } = await app.anonymous.get(path);
    t.is(status, 401, path);
    t.deepEqual(body, { message: '401 Unauthorized' });
  }
});

// Contract: namespaces.clients
test('@gitbeaker/rest lists, searches, shows and asks for namespaces', async (t) => {
  const user = await app.build.user();
  const group = await app.build.group({ owner: user });
  const api = new Gitlab({ host: app.url, token: user.token });
  const all = await api.Namespaces.all();
  t.deepEqual(
    all.map(({ id }) => id),
    [user.namespace_id, group.id],
  );
  t.deepEqual(
    (await api.Namespaces.all({ search: group.path })).map(({ id }) => id),
    [group.id],
  );
  t.is((await api.Namespaces.show(group.id)).full_path, group.full_path);
  t.true((await api.Namespaces.exists(group.path)).exists);
});
