import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { holding } from '../../core/holding.js';

const app = useApp(test);

const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status);

/** What beginning to remove a group does to it, until it is committed: its namespace is locked and it is hidden. */
const removing = (group: { id: number }) => sql`
  with hidden as (update group_settings set removal_started_at = now() where namespace_id = ${group.id} returning id)
  select n.id from namespaces n, hidden where n.id = ${group.id} for update of n`;

// Contract: core-3.visibility
test.serial('a group does not become less visible than a subgroup that rises at the same time', async (t) => {
  const owner = await app.build.user();
  for (let round = 0; round < 5; round += 1) {
    const parent = await app.build.group({ owner, visibility: 'public' });
    const sub = await app.build.group({ owner, parent });
    const answers = await Promise.all([
      app.as(owner).put(`/groups/${parent.id}`, { visibility: 'private' }),
      app.as(owner).put(`/groups/${sub.id}`, { visibility: 'public' }),
    ]);
    t.deepEqual(statuses(answers).sort(), [200, 400]);
  }
});

// Contract: core-3.share
test.serial('a group is not shared with one whose removal begins meanwhile, nor the other way', async (t) => {
  const owner = await app.build.user();
  const group = await app.build.group({ owner });
  for (const direction of ['into', 'from']) {
    const doomed = await app.build.group({ owner });
    const [from, to] = direction === 'into' ? [group, doomed] : [doomed, group];
    const answer = await holding(app, removing(doomed), () =>
      app.as(owner).post(`/groups/${from.id}/share`, { group_id: to.id, group_access: 30 }),
    );
    t.deepEqual([answer.status, answer.body], [404, { message: '404 Group Not Found' }], direction);
  }
});

// Contract: core-5.share
test.serial('a project is not shared with a group whose removal begins meanwhile', async (t) => {
  const owner = await app.build.user();
  const project = await app.build.project({ owner });
  const doomed = await app.build.group({ owner });
  const answer = await holding(app, removing(doomed), () =>
    app.as(owner).post(`/projects/${project.id}/share`, { group_id: doomed.id, group_access: 30 }),
  );
  t.deepEqual([answer.status, answer.body], [404, { message: '404 Group Not Found' }]);
});

// Contract: core-4.races
test.serial('nobody is added to a group that is removed meanwhile', async (t) => {
  const doomed = await app.build.group();
  const user = await app.build.user();
  const answer = await holding(app, sql`delete from namespaces n where n.id = ${doomed.id}`, () =>
    app.as(doomed.owner).post(`/groups/${doomed.id}/members`, { user_id: user.id, access_level: 30 }),
  );
  t.deepEqual([answer.status, answer.body], [404, { message: '404 Group Not Found' }]);
});

// Contract: core-4.races
test.serial('of three Owners who leave at the same time one stays', async (t) => {
  const first = await app.build.user();
  const group = await app.build.group({ owner: first });
  const others = [await app.build.groupMember(group, 'owner'), await app.build.groupMember(group, 'owner')];
  const answers = await Promise.all(
    [first, ...others].map((owner) => app.as(owner).delete(`/groups/${group.id}/members/${owner.id}`)),
  );
  t.deepEqual(statuses(answers).sort(), [204, 204, 403]);
});

// Contract: core-4.races
test.serial('of two Owners who demote each other one stays Owner', async (t) => {
  const first = await app.build.user();
  const group = await app.build.group({ owner: first });
  const second = await app.build.groupMember(group, 'owner');
  const demote = (by: typeof first, whom: typeof first) =>
    app.as(by).put(`/groups/${group.id}/members/${whom.id}`, { access_level: 30 });
  const answers = await Promise.all([demote(first, second), demote(second, first)]);
  t.deepEqual(statuses(answers).sort(), [200, 403]);
});

// Contract: core-3.transfer.races
test.serial('of three transfers that would close a circle one is refused, and every path is whole', async (t) => {
  const owner = await app.build.user();
  const one = await app.build.group({ owner });
  const two = await app.build.group({ owner });
  const three = await app.build.group({ owner });
  const move = (group: { id: number }, to: { id: number }) =>
    app.as(owner).post(`/groups/${group.id}/transfer`, { group_id: to.id });
  const answers = await Promise.all([move(one, two), move(two, three), move(three, one)]);
  t.is(answers.filter(({ status }) => status === 201).length, 2);
  // A rejected transfer would close the cycle, or failed on a lock of another one and may be retried.
  t.true(answers.every(({ status }) => [201, 400, 409].includes(status)));
  const { body } = await app.as(owner).get('/groups?owned=true&order_by=path');
  const found = (body as { id: number; full_path: string; parent_id: number | null }[]).filter(({ id }) =>
    [one.id, two.id, three.id].includes(id),
  );
  t.is(found.filter(({ parent_id }) => parent_id === null).length, 1);
  t.deepEqual(found.map(({ full_path }) => full_path.split('/').length).sort(), [1, 2, 3]);
});
