import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: interface-4.10.marked_for_deletion_on
test('below Premium, filters of Premium are as if they were not sent', async (t) => {
  await app.set({ plan: 'free' });
  const owner = await app.build.user();
  const one = await app.build.project({ owner, empty: true });
  await app.build.project({ owner, empty: true });
  await app.context().query(sql`update projects set marked_for_deletion_at = '2029-05-05' where id = ${one.id}`);
  for (const query of [
    'marked_for_deletion_on=2029-05-05',
    'marked_for_deletion_on=2029-05-06',
    'repository_checksum_failed=true',
    'wiki_checksum_failed=true',
  ])
    t.is((await app.as(owner).get(`/projects?owned=true&${query}`)).body.length, 2, query);
  t.is((await app.as(owner).get('/projects?marked_for_deletion_on=May')).status, 400);
  const group = await app.build.group({ owner });
  await app.build.projectIn(group);
  t.is((await app.as(owner).get(`/groups/${group.id}/projects?with_security_reports=true`)).body.length, 1);
});
