import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// One after the other: the settings are the whole instance's.
// Contract: core-3.delete.period
test.serial('without a deletion period a group is removed at once', async (t) => {
  await app.set({ deletion_adjourned_period: 0 });
  const group = await app.build.group();
  t.is((await app.as(group.owner).delete(`/groups/${group.id}`)).status, 202);
  t.is((await app.as(group.owner).get(`/groups/${group.id}`)).status, 404);
  await app.work();
  t.is((await app.as(group.owner).post('/groups', { name: 'Again', path: group.path })).status, 201);
  await app.set({ deletion_adjourned_period: 7 });
});

// Contract: core-3.delete.period
test.serial('the day of marking is told from Premium on', async (t) => {
  const group = await app.build.group();
  await app.as(group.owner).delete(`/groups/${group.id}`);
  const readDeletionDate = async () =>
    (await app.as(group.owner).get(`/groups/${group.id}`)).body.marked_for_deletion_on;
  t.is(await readDeletionDate(), '2030-01-01');
  await app.set({ plan: 'free' });
  t.is(await readDeletionDate(), null);
  await app.set({ plan: 'ultimate' });
});
