import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);

/** Groups A and its subgroup B; X is invited to A, Y to B; all of one owner. */
async function sandbox() {
  const owner = await app.build.user();
  const make = (name: string, more: object = {}) => app.build.group({ owner, name, ...more });
  const a = await make('A');
  const b = await make('B', { parent: a });
  const x = await make('X', { visibility: 'public' });
  const y = await make('Y');
  const share = (group: { id: number }, group_id: number) =>
    app.as(owner).post(`/groups/${group.id}/share`, { group_id, group_access: 30 });
  await share(a, x.id);
  await share(b, y.id);
  const list = async (path: string, by: BuiltUser = owner) =>
    ((await app.as(by).get(path)).body as { name: string }[]).map(({ name }) => name);
  return { owner, a, b, x, y, share, list };
}

// Contract: core-3.shared-groups
test('the groups that a group is invited to are listed and filtered', async (t) => {
  const { a, b, x, share, list } = await sandbox();
  await share(b, x.id);
  const path = `/groups/${x.id}/groups/shared`;
  t.deepEqual(await list(path), ['A', 'B']);
  t.deepEqual(await list(`${path}?sort=desc`), ['B', 'A']);
  t.deepEqual(await list(`${path}?search=b`), ['B']);
  t.deepEqual(await list(`${path}?skip_groups[]=${a.id}`), ['B']);
  t.deepEqual(await list(`${path}?visibility=public`), []);
  t.deepEqual(await list(`${path}?min_access_level=50`), ['A', 'B']);
});

// Contract: core-3.shared-groups
test('the groups invited to a group are listed, directly or by a group above', async (t) => {
  const { b, list } = await sandbox();
  const path = `/groups/${b.id}/invited_groups`;
  t.deepEqual(await list(path), ['X', 'Y']);
  t.deepEqual(await list(`${path}?relation[]=direct`), ['Y']);
  t.deepEqual(await list(`${path}?relation=inherited`), ['X']);
  t.deepEqual(await list(`${path}?relation=direct,inherited&search=x`), ['X']);
});

test('a bad relation is told by name', async (t) => {
  const { b, owner } = await sandbox();
  const { status, body } = await app.as(owner).get(`/groups/${b.id}/invited_groups?relation[]=odd`);
  t.is(status, 400);
  t.deepEqual(body, { error: 'relation does not have a valid value' });
});

// Contract: core-3.shared-groups
test('of invited and sharing groups only those are listed that the caller may see, and no share that has ended', async (t) => {
  const { a, b, x, list } = await sandbox();
  const member = await app.build.groupMember(b, 'guest');
  t.deepEqual(await list(`/groups/${b.id}/invited_groups`, member), ['X']);
  t.deepEqual(await list(`/groups/${x.id}/groups/shared`, await app.build.user()), []);
  t.is((await app.anonymous.get(`/groups/${a.id}/invited_groups`)).status, 404);
  t.deepEqual((await app.anonymous.get(`/groups/${x.id}/groups/shared`)).body, []);
  await app.context().query(sql`update group_shares set expires_on = '2030-01-01' where namespace_id = ${a.id}`);
  t.deepEqual(await list(`/groups/${x.id}/groups/shared`), []);
  t.deepEqual(await list(`/groups/${b.id}/invited_groups`), ['Y']);
});
