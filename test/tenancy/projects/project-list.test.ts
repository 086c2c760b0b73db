import test from 'ava';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { unique } from '../../core/builders.js';

const app = useApp(test);
const word = () => `w${unique()}x${Math.random().toString(36).slice(2, 8)}`;

/** Projects of one owner whose names consist of a unique word and a letter. */
async function shelf(letters: string, visibility = 'private') {
  const tag = word();
  const owner = await app.build.user();
  const ids: Record<string, number> = {};
  for (const letter of letters)
    ids[letter] = (await app.build.project({ owner, empty: true, visibility, name: `${tag} ${letter}` })).id;
  const set = (letter: string, change: RawBuilder<unknown>) =>
    app.context().query(sql`update projects set ${change} where id = ${ids[letter]}`);
  /** The letters that a list shows, in its order. */
  const list = async (query = '', by: BuiltUser | null = owner): Promise<string> => {
    const client = by ? app.as(by) : app.anonymous;
    const { status, body } = await client.get(`/projects?search=${tag}&sort=asc&${query}`);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return (body as { name: string }[]).map(({ name }) => name.at(-1)).join('');
  };
  return { tag, owner, ids, set, list };
}

// Contract: interface-4.10.archived
test('archived chooses archived projects, or all others, and both without it', async (t) => {
  const { list, set } = await shelf('AB');
  await set('A', sql`archived = true`);
  t.is(await list(), 'AB');
  t.is(await list('archived=true'), 'A');
  t.is(await list('archived=false'), 'B');
  t.is(await list('archived='), 'AB');
});

// Contract: projects-2.active
test('active chooses what is neither archived nor marked for deletion, by itself or by its group', async (t) => {
  const { list, set, owner, ids } = await shelf('ABCD');
  await set('A', sql`archived = true`);
  await set('B', sql`marked_for_deletion_at = now()`);
  const group = await app.build.group({ owner });
  await set('C', sql`namespace_id = ${group.id}`);
  await app.as(owner).delete(`/groups/${group.id}`);
  t.is(await list('active=true'), 'D');
  t.is(await list('active=false'), 'ABC');
  t.truthy(ids.D);
});

// Contract: interface-4.10.visibility
test('visibility is exact, and one that the caller never sees gives an empty list', async (t) => {
  const { list, set } = await shelf('ABC');
  await set('B', sql`visibility = 'internal'`);
  await set('C', sql`visibility = 'public'`);
  t.is(await list('visibility=private'), 'A');
  t.is(await list('visibility=internal'), 'B');
  t.is(await list('visibility=public'), 'C');
  t.is(await list('visibility=internal', null), '');
  t.is(await list('visibility=private', await app.build.user()), '');
  t.is(await list('visibility=internal', await app.build.user({ external: true })), '');
});

// Contract: interface-4.10.membership, interface-4.10.min_access_level, interface-4.10.owned
test('owned, membership and min_access_level go by the role, direct or inherited, and combine to the strictest', async (t) => {
  const { list, ids, owner, tag } = await shelf('ABC', 'internal');
  const group = await app.build.group({ owner });
  await app.build.projectIn(group, { name: `${tag} G` });
  const user = await app.build.groupMember(group, 'maintainer');
  await app.build.member({ id: ids.A as number }, 'owner', user);
  await app.build.member({ id: ids.B as number }, 'guest', user);
  t.is(await list('', user), 'ABCG');
  t.is(await list('membership=true', user), 'ABG');
  t.is(await list('owned=true', user), 'A');
  for (const [level, letters] of [
    [10, 'ABG'],
    [15, 'AG'],
    [20, 'AG'],
    [30, 'AG'],
    [40, 'AG'],
    [50, 'A'],
  ] as const)
    t.is(await list(`min_access_level=${level}`, user), letters, String(level));
  t.is(await list('owned=true&min_access_level=10&membership=true', user), 'A');
  t.is(await list('min_access_level=40&membership=true', user), 'AG');
  t.is(await list('owned=true'), 'ABCG');
  t.is(await list('owned=false&membership=false', user), 'ABCG');
});

// Contract: projects-2.2.lists, interface-4.10.owned
test('an administrator lists all projects, private ones too, but owns only what is their own', async (t) => {
  const { list, ids } = await shelf('AB');
  const admin = await app.build.admin();
  t.is(await list('', admin), 'AB');
  await app.build.member({ id: ids.B as number }, 'developer', admin);
  t.is(await list('owned=true', admin), '');
  t.is(await list('membership=true', admin), 'B');
  t.is(await list('min_access_level=30', admin), 'B');
});

// Contract: interface-4.10.anonymous
test('without signing in, filters by membership give an empty list', async (t) => {
  const { list } = await shelf('AB', 'public');
  t.is(await list('', null), 'AB');
  for (const filter of ['owned=true', 'membership=true', 'min_access_level=10'])
    t.is(await list(filter, null), '', filter);
  t.is(await list('owned=false&membership=0', null), 'AB');
});

// Contract: projects-2.2.lists
test('a role that has ended gives nothing', async (t) => {
  const { list, owner, tag } = await shelf('A');
  const group = await app.build.group({ owner });
  await app.build.projectIn(group, { name: `${tag} G` });
  const formerOwner = await app.build.groupMember(group, 'owner', undefined, '2030-01-01');
  t.is(await list('', formerOwner), '');
  t.is(await list('membership=true', formerOwner), '');
});

// Contract: interface-4.10.ids
test('id_after and id_before are strict', async (t) => {
  const { list, ids } = await shelf('ABCD');
  t.is(await list(`id_after=${ids.A}&id_before=${ids.D}`), 'BC');
  t.is(await list(`id_after=${ids.D}`), '');
  t.is(await list(`id_after=${ids.C}&id_before=${ids.B}`), '');
});

// Contract: interface-4.10.last_activity
test('last_activity_after and last_activity_before cut by the last activity, without the instants themselves [unverified]', async (t) => {
  const { list, set } = await shelf('ABC');
  for (const [letter, month] of [
    ['A', 1],
    ['B', 2],
    ['C', 3],
  ] as const)
    await set(letter, sql`last_activity_at = make_timestamptz(2029, ${month}, 1, 0, 0, 0, 'UTC')`);
  t.is(await list('last_activity_after=2029-01-01T00:00:00Z'), 'BC');
  t.is(await list('last_activity_before=2029-03-01T00:00:00Z'), 'AB');
  t.is(await list('last_activity_after=2029-01-15&last_activity_before=2029-02-15'), 'B');
  t.is(await list('last_activity_after=2029-03-01T01:00:00%2B02:00'), 'C');
});

// Contract: interface-4.10.updated
test('updated_after and updated_before hold the instants themselves [unverified], and go with order_by=updated_at alone', async (t) => {
  const { list, set, owner } = await shelf('ABC');
  for (const [letter, month] of [
    ['A', 3],
    ['B', 2],
    ['C', 1],
  ] as const)
    await set(letter, sql`updated_at = make_timestamptz(2029, ${month}, 1, 0, 0, 0, 'UTC')`);
  t.is(await list('order_by=updated_at&updated_after=2029-02-01T00:00:00Z'), 'BA');
  t.is(await list('order_by=updated_at&updated_before=2029-02-01T00:00:00Z'), 'CB');
  const message = '400 Bad request - `updated_at` filter and `updated_at` sorting must be paired';
  for (const query of [
    'updated_after=2029-01-01',
    'updated_before=2029-01-01&order_by=id',
    'updated_after=2029-01-01&order_by=created_at',
  ]) {
    const { status, body } = await app.as(owner).get(`/projects?${query}`);
    t.is(status, 400, query);
    t.deepEqual(body, { message }, query);
  }
});

// Contract: interface-4.10.marked_for_deletion_on
test('a project marked for deletion is found by the day of marking', async (t) => {
  const { list, set } = await shelf('ABC');
  await set('A', sql`marked_for_deletion_at = '2029-05-05T00:00:00Z'`);
  await set('B', sql`marked_for_deletion_at = '2029-05-05T23:59:59.999Z'`);
  await set('C', sql`marked_for_deletion_at = '2029-05-06T00:00:00Z'`);
  t.is(await list('marked_for_deletion_on=2029-05-05'), 'AB');
  t.is(await list('marked_for_deletion_on=2029-05-07'), '');
});

// Contract: interface-4.10.repository_storage
test('storage is for administrators, and only one is there; others are not filtered', async (t) => {
  const { list } = await shelf('A');
  const admin = await app.build.admin();
  t.is(await list('repository_storage=default', admin), 'A');
  t.is(await list('repository_storage=elsewhere', admin), '');
  t.is(await list('repository_storage=elsewhere'), 'A');
});

// Contract: interface-4.10.checksums, interface-4.10.include_hidden
test('no check of a repository or wiki ever failed, and hidden projects are none', async (t) => {
  const { list } = await shelf('A');
  t.is(await list('repository_checksum_failed=true'), '');
  t.is(await list('wiki_checksum_failed=true'), '');
  t.is(await list('repository_checksum_failed=false&wiki_checksum_failed=false'), 'A');
  t.is(await list('include_hidden=true', await app.build.admin()), 'A');
});

// Contract: interface-4.10.order_by, interface-4.10.sort
test('every column orders both ways, with the id in the same direction behind it', async (t) => {
  const { list, set, tag, owner } = await shelf('ABCD');
  for (const [letter, stars] of [
    ['A', 2],
    ['B', 1],
    ['C', 2],
    ['D', 1],
  ] as const)
    await set(
      letter,
      sql`star_count = ${stars}, path = ${`${stars}-${letter}-${tag}`},
        last_activity_at = make_timestamptz(2029, ${stars}, 1, 0, 0, 0, 'UTC'),
        updated_at = make_timestamptz(2029, ${3 - stars}, 1, 0, 0, 0, 'UTC')`,
    );
  const both = async (column: string) => {
    const down = await app.as(owner).get(`/projects?search=${tag}&order_by=${column}`);
    return [await list(`order_by=${column}`), down.body.map(({ name }: { name: string }) => name.at(-1)).join('')];
  };
  t.deepEqual(await both('id'), ['ABCD', 'DCBA']);
  t.deepEqual(await both('created_at'), ['ABCD', 'DCBA']);
  t.deepEqual(await both('name'), ['ABCD', 'DCBA']);
  t.deepEqual(await both('path'), ['BDAC', 'CADB']);
  t.deepEqual(await both('star_count'), ['BDAC', 'CADB']);
  t.deepEqual(await both('last_activity_at'), ['BDAC', 'CADB']);
  t.deepEqual(await both('updated_at'), ['ACBD', 'DBCA']);
});

// Contract: interface-4.10.anonymous, interface-4.10.simple
test('simple answers the basic record, which anonymous callers always get', async (t) => {
  const { tag, owner } = await shelf('A', 'public');
  const keys = async (query: string, client = app.as(owner)) =>
    Object.keys((await client.get(`/projects?search=${tag}&${query}`)).body[0]).sort();
  const basic = await keys('simple=true');
  t.false(basic.includes('creator_id'));
  t.deepEqual(await keys('', app.anonymous), basic);
  t.deepEqual(await keys('simple=false', app.anonymous), basic);
  t.true((await keys('')).includes('creator_id'));
  const seed = `id description name name_with_namespace path path_with_namespace created_at tag_list topics
    ssh_url_to_repo http_url_to_repo web_url avatar_url star_count last_activity_at namespace`;
  for (const key of seed.split(/\s+/)) t.true(basic.includes(key), key);
});

// Contract: projects-2.bad
test('a bad value is 400 in the words of the contract, whatever else is sent', async (t) => {
  const user = await app.build.user();
  const cases: [string, string][] = [
    ['archived=perhaps', 'archived is invalid'],
    ['owned=2', 'owned is invalid'],
    ['visibility=secret', 'visibility does not have a valid value'],
    ['min_access_level=35', 'min_access_level does not have a valid value'],
    ['order_by=size', 'order_by does not have a valid value'],
    ['sort=up', 'sort does not have a valid value'],
    ['id_after=x', 'id_after is invalid'],
    ['last_activity_after=yesterday', 'last_activity_after is invalid'],
    ['updated_before=2029-02-30&order_by=updated_at', 'updated_before is invalid'],
    ['marked_for_deletion_on=May', 'marked_for_deletion_on is invalid'],
    ['search[a]=b', 'search is invalid'],
    ['archived=perhaps&sort=up', 'archived is invalid, sort does not have a valid value'],
  ];
  for (const client of [app.as(user), app.anonymous])
    for (const [query, error] of cases) {
      const { status, body } = await client.get(`/projects?${query}`);
      t.is(status, 400, query);
      t.deepEqual(body, { error }, query);
    }
});

// Contract: projects-2.booleans
test('booleans are read leniently, and what is empty or unknown is as if it were not sent', async (t) => {
  const { list, set } = await shelf('AB');
  await set('A', sql`archived = true`);
  for (const yes of ['1', 't', 'on', 'TRUE']) t.is(await list(`archived=${yes}`), 'A', yes);
  for (const no of ['0', 'f', 'off', 'False']) t.is(await list(`archived=${no}`), 'B', no);
  t.is(await list('id_after=&min_access_level=&last_activity_after=&active=&no_such=1'), 'AB');
});

// Contract: projects-2.4.past
test('a page beyond the last is empty, with an empty x-next-page', async (t) => {
  const { tag, owner } = await shelf('A');
  const { body, headers } = await app.as(owner).get(`/projects?search=${tag}&page=2`);
  t.deepEqual(body, []);
  t.is(headers.get('x-next-page'), '');
  t.is(headers.get('x-total'), '1');
});
