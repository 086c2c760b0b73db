import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { unique } from '../../core/builders.js';
import type { Answer } from '../../core/client.js';

const app = useApp(test);

const names = (answer: Answer) => (answer.body as { name: string }[]).map((group) => group.name);
const word = () => `w${unique()}x${Math.random().toString(36).slice(2, 8)}`;

/** A tree with a word of its own: public P; private A with subgroup A1; internal I. */
async function tree() {
  const tag = word();
  const owner = await app.build.user();
  const make = (letter: string, more: Record<string, unknown> = {}) =>
    app.build.group({ owner, name: `${tag} ${letter}`, path: `${letter.toLowerCase()}-${tag}`, ...more });
  const p = await make('P', { visibility: 'public' });
  const a = await make('A');
  const a1 = await make('A1', { parent: a });
  const i = await make('I', { visibility: 'internal' });
  const list = async (by: BuiltUser | null, query = '') => {
    const answer = await (by ? app.as(by) : app.anonymous).get(`/groups?search=${tag}&${query}`);
    return names(answer).map((name) => name.slice(tag.length + 1));
  };
  return { tag, owner, p, a, a1, i, list };
}

// Contract: core-3.list
test('anonymous callers list public groups, others also internal ones and those they belong to, administrators all', async (t) => {
  const { list, a1, owner } = await tree();
  t.deepEqual(await list(null), ['P']);
  t.deepEqual(await list(await app.build.user()), ['I', 'P']);
  t.deepEqual(await list(await app.build.user({ external: true })), ['P']);
  t.deepEqual(await list(await app.build.groupMember(a1, 'guest')), ['A', 'A1', 'I', 'P']);
  t.deepEqual(await list(owner), ['A', 'A1', 'I', 'P']);
  t.deepEqual(await list(await app.build.admin()), ['A', 'A1', 'I', 'P']);
});

// Contract: core-3.list.filters
test('all_available=false leaves only groups that the caller belongs to', async (t) => {
  const { list, a1 } = await tree();
  const member = await app.build.groupMember(a1, 'guest');
  t.deepEqual(await list(member, 'all_available=false'), ['A', 'A1']);
  t.deepEqual(await list(member, 'all_available=true'), ['A', 'A1', 'I', 'P']);
  t.deepEqual(await list(await app.build.admin(), 'all_available=false'), []);
});

// Contract: core-4.expired
test('an expired membership shows nothing', async (t) => {
  const { list, a } = await tree();
  const past = await app.build.groupMember(a, 'guest', undefined, '2030-01-01');
  const future = await app.build.groupMember(a, 'guest', undefined, '2030-01-02');
  t.deepEqual(await list(past), ['I', 'P']);
  t.deepEqual(await list(future), ['A', 'A1', 'I', 'P']);
});

// Contract: core-3.list.filters
test('owned and min_access_level narrow by membership, inherited ones too', async (t) => {
  const { list, a, p, owner } = await tree();
  const user = await app.build.groupMember(a, 'developer');
  await app.build.groupMember(p, 'owner', user);
  t.deepEqual(await list(user, 'owned=true'), ['P']);
  t.deepEqual(await list(user, 'min_access_level=30'), ['A', 'A1', 'P']);
  t.deepEqual(await list(user, 'min_access_level=40'), ['P']);
  t.deepEqual(await list(owner, 'owned=true'), ['A', 'A1', 'I', 'P']);
  t.deepEqual(await list(await app.build.admin(), 'owned=true'), []);
  t.deepEqual(await list(null, 'owned=true'), []);
  const bad = await app.as(user).get('/groups?min_access_level=33');
  t.deepEqual(bad.body, { error: 'min_access_level does not have a valid value' });
});

// Contract: core-3.list.filters
test('groups are narrowed to the top level, by visibility, and by leaving some out', async (t) => {
  const { list, owner, p, a } = await tree();
  t.deepEqual(await list(owner, 'top_level_only=true'), ['A', 'I', 'P']);
  t.deepEqual(await list(owner, 'visibility=private'), ['A', 'A1']);
  t.deepEqual(await list(owner, `skip_groups[]=${p.id}&skip_groups[]=${a.id}`), ['A1', 'I']);
});

// Contract: core-3.list.filters
test('groups are found by a part of name or path, with wildcards taken literally', async (t) => {
  const { owner, tag, list } = await tree();
  await app.build.group({ owner, name: 'Other', path: `other_${tag}` });
  t.is((await list(owner)).length, 5);
  t.deepEqual(names(await app.as(owner).get(`/groups?search=OTHER_${tag}`)), ['Other']);
  t.deepEqual(names(await app.as(owner).get(`/groups?search=%25_${tag}`)), []);
});

// Contract: core-3.list.order
test('groups are ordered by name, path, id or similarity', async (t) => {
  const { list, owner } = await tree();
  t.deepEqual(await list(owner, 'sort=desc'), ['P', 'I', 'A1', 'A']);
  t.deepEqual(await list(owner, 'order_by=path'), ['A', 'A1', 'I', 'P'].sort());
  t.deepEqual(await list(owner, 'order_by=id'), ['P', 'A', 'A1', 'I']);
  t.deepEqual(await list(owner, 'order_by=id&sort=desc'), ['I', 'A1', 'A', 'P']);
  const tag = word();
  await app.build.group({ owner, name: `A long name with ${tag}`, path: `long-path-with-${tag}` });
  await app.build.group({ owner, name: tag, path: tag });
  const similar = names(await app.as(owner).get(`/groups?search=${tag}&order_by=similarity`));
  t.is(similar[0], tag);
});

// Contract: core-3.subgroups
test('subgroups are the groups right below, descendant groups all below, as the caller sees them', async (t) => {
  const top = await app.build.group({ visibility: 'public' });
  const owner = top.owner;
  const sub = await app.build.group({ parent: top, owner, name: 'Sub', visibility: 'public' });
  await app.build.group({ parent: top, owner, name: 'Secret' });
  await app.build.group({ parent: sub, owner, name: 'Deep', visibility: 'public' });
  const list = async (what: string, by?: BuiltUser) =>
    names(await (by ? app.as(by) : app.anonymous).get(`/groups/${top.id}/${what}`));
  t.deepEqual(await list('subgroups', owner), ['Secret', 'Sub']);
  t.deepEqual(await list('descendant_groups', owner), ['Deep', 'Secret', 'Sub']);
  t.deepEqual(await list('subgroups'), ['Sub']);
  t.deepEqual(await list('descendant_groups'), ['Deep', 'Sub']);
  t.deepEqual(await list('descendant_groups?search=ee', owner), ['Deep']);
  t.is((await app.anonymous.get('/groups/99999999/subgroups')).status, 404);
});

// Contract: core-3.list.state
test('groups are narrowed by their state, that of a group above included', async (t) => {
  const { list, owner, a, p } = await tree();
  await app.as(owner).post(`/groups/${a.id}/archive`);
  await app.as(owner).delete(`/groups/${p.id}`);
  t.deepEqual(await list(owner, 'archived=true'), ['A', 'A1']);
  t.deepEqual(await list(owner, 'archived=false'), ['I', 'P']);
  t.deepEqual(await list(owner, 'active=true'), ['I']);
  t.deepEqual(await list(owner, 'active=false'), ['A', 'A1', 'P']);
  t.deepEqual(await list(owner, 'marked_for_deletion_on=2030-01-01'), ['P']);
  t.deepEqual(await list(owner, 'marked_for_deletion_on=2030-01-02'), []);
  const bad = await app.as(owner).get('/groups?marked_for_deletion_on=soon');
  t.deepEqual(bad.body, { error: 'marked_for_deletion_on is invalid' });
});

// Contract: core-3.list.state
test('bad values of group filters are told by name, quotes and backslashes are text', async (t) => {
  const { owner } = await tree();
  const get = async (query: string) => (await app.as(owner).get(`/groups?${query}`)).body as unknown;
  t.deepEqual(await get('archived=maybe&visibility=secret&skip_groups[]=x&order_by=size&sort=up'), {
    error:
      'visibility does not have a valid value, skip_groups is invalid, archived is invalid, order_by does not have a valid value, sort does not have a valid value',
  });
  for (const text of ["'", '"', '\\', "' or 1=1 --"]) t.deepEqual(await get(`search=${encodeURIComponent(text)}`), []);
});

// Contract: core-3.list.statistics
test('administrators see what the projects of a group store; for others it is as if they had not asked', async (t) => {
  const { tag, owner, a } = await tree();
  const project = await app.build.projectIn({ ...a, owner });
  await app.context().query(sql`
    update project_statistics set repository_size = 7, packages_size = 5, container_registry_size = 3 where project_id = ${project.id}`);
  const get = async (by: BuiltUser, query: string) =>
    (await app.as(by).get(`/groups?search=${tag}&${query}`)).body as Record<string, unknown>[];
  const admin = await app.build.admin();
  const groups = await get(admin, 'statistics=true');
  t.deepEqual(groups.find((group) => group.id === a.id)?.statistics, {
    storage_size: 12,
    repository_size: 7,
    wiki_size: 0,
    lfs_objects_size: 0,
    job_artifacts_size: 0,
    pipeline_artifacts_size: 0,
    packages_size: 5,
    snippets_size: 0,
    uploads_size: 0,
    container_registry_size: 3,
  });
  for (const [by, query] of [
    [admin, ''],
    [owner, 'statistics=true'],
  ] as const)
    t.false((await get(by, query)).some((group) => 'statistics' in group));
});

// Contract: core-9.groups
test('anonymous callers page through groups by keyset in the order by name, and no other', async (t) => {
  const tag = word();
  const owner = await app.build.user();
  for (const name of ['b', 'a', 'c', 'a'])
    await app.build.group({ owner, name: `${name} ${tag}`, visibility: 'public' });
  const listed: string[] = [];
  let next = `/groups?search=${tag}&pagination=keyset&per_page=2`;
  for (let page = 0; page < 3; page += 1) {
    const answer = await app.anonymous.get(next);
    listed.push(...names(answer));
    const link = /<[^>]*\/api\/v4([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '');
    t.is(answer.headers.get('x-total'), null);
    t.is(link !== null, page < 2);
    if (link) next = link[1] as string;
  }
  t.deepEqual(
    listed,
    ['a', 'a', 'b', 'c'].map((name) => `${name} ${tag}`),
  );
  for (const query of ['order_by=path', 'sort=desc', 'order_by=id']) {
    const { status, body } = await app.anonymous.get(`/groups?pagination=keyset&${query}`);
    t.is(status, 405);
    t.deepEqual(body, { error: 'Keyset pagination is not yet available for this type of request' });
  }
  t.is((await app.anonymous.get('/groups?pagination=keyset&cursor=nonsense')).status, 400);
});

// Contract: core-9.groups, interface-4.0.8a.groups
test('who is signed in and asks for groups by keyset is answered by offset', async (t) => {
  const { tag, owner } = await tree();
  for (const query of ['', '&order_by=path']) {
    const answer = await app.as(owner).get(`/groups?search=${tag}&pagination=keyset${query}`);
    t.is(answer.status, 200);
    t.is(answer.headers.get('x-total'), '4');
  }
});
