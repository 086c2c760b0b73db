import test from 'ava';
import { useApp } from '../core/app.js';
import type { BuiltUser } from '../core/builders.js';
import { unique } from '../core/builders.js';
import type { Answer } from '../core/client.js';

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

test('anonymous callers list public groups, others also internal ones and those they belong to, administrators all', async (t) => {
  const { list, a1, owner } = await tree();
  t.deepEqual(await list(null), ['P']);
  t.deepEqual(await list(await app.build.user()), ['I', 'P']);
  t.deepEqual(await list(await app.build.user({ external: true })), ['P']);
  t.deepEqual(await list(await app.build.groupMember(a1, 'guest')), ['A', 'A1', 'I', 'P']);
  t.deepEqual(await list(owner), ['A', 'A1', 'I', 'P']);
  t.deepEqual(await list(await app.build.admin()), ['A', 'A1', 'I', 'P']);
});

test('all_available=false leaves only groups that the caller belongs to', async (t) => {
  const { list, a1 } = await tree();
  const member = await app.build.groupMember(a1, 'guest');
  t.deepEqual(await list(member, 'all_available=false'), ['A', 'A1']);
  t.deepEqual(await list(member, 'all_available=true'), ['A', 'A1', 'I', 'P']);
  t.deepEqual(await list(await app.build.admin(), 'all_available=false'), []);
});

test('an expired membership shows nothing', async (t) => {
  const { list, a } = await tree();
  const past = await app.build.groupMember(a, 'guest', undefined, '2030-01-01');
  const future = await app.build.groupMember(a, 'guest', undefined, '2030-01-02');
  t.deepEqual(await list(past), ['I', 'P']);
  t.deepEqual(await list(future), ['A', 'A1', 'I', 'P']);
});

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

test('groups are narrowed to the top level, by visibility, and by leaving some out', async (t) => {
  const { list, owner, p, a } = await tree();
  t.deepEqual(await list(owner, 'top_level_only=true'), ['A', 'I', 'P']);
  t.deepEqual(await list(owner, 'visibility=private'), ['A', 'A1']);
  t.deepEqual(await list(owner, `skip_groups[]=${p.id}&skip_groups[]=${a.id}`), ['A1', 'I']);
});

test('groups are found by a part of name or path, with wildcards taken literally', async (t) => {
  const { owner, tag, list } = await tree();
  await app.build.group({ owner, name: 'Other', path: `other_${tag}` });
  t.is((await list(owner)).length, 5);
  t.deepEqual(names(await app.as(owner).get(`/groups?search=OTHER_${tag}`)), ['Other']);
  t.deepEqual(names(await app.as(owner).get(`/groups?search=%25_${tag}`)), []);
});

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
