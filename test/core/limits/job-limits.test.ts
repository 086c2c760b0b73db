import test from 'ava';
import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import { Context } from '../../../shared/core/context/context.js';
import { removeGroup } from '../../../shared/tenancy/groups/remove-group.js';
import { getJobKinds } from '../../../shared/core/domain.js';
import { domains } from '../../../shared/domains.js';

const jobKinds = getJobKinds(domains);
import { sql } from 'kysely';
import { handlers } from '../../../workers/domains.js';
import { useApp } from '../app.js';

const app = useApp(test);

test('every kind of job has a handler, a time limit, a limit of tries, and a sign of life', (t) => {
  const handled = new Set(handlers.map(({ kind }) => kind.name));
  for (const { name, queue } of jobKinds) {
    t.true(handled.has(name), name);
    const { expireInSeconds = 0, heartbeatSeconds = 0, retryLimit = Infinity } = queue;
    t.true(expireInSeconds > 0 && expireInSeconds <= 2 * 3600, name);
    t.true(heartbeatSeconds > 0 && heartbeatSeconds <= 60, name);
    t.true(retryLimit <= 10, name);
  }
  t.deepEqual(
    [...handled].filter((name) => !jobKinds.some((kind) => kind.name === name)),
    [],
  );
});

test('each kind of job says which feature it belongs to', (t) => {
  for (const { name, category } of jobKinds) t.not(category, 'not_owned', name);
});

test('a long removal ends with the time of its job, and its next try goes on', async (t) => {
  const group = await app.build.group();
  await app.as(group.owner).post('/projects', { name: 'In it', namespace_id: group.id });
  const at = app.clock.now();
  await app.context().query(sql`
    update group_settings set marked_for_deletion_at = ${at} where namespace_id = ${group.id}`);
  const left = async () => (await app.context().query(sql`select id from namespaces where id = ${group.id}`)).length;
  const signal = AbortSignal.abort(new Error('The time is over.'));
  const over = new Context(app.services, ANONYMOUS, { requestId: 'over', ip: null, signal });
  await t.throwsAsync(removeGroup(over, group.id, at), { message: 'The time is over.' });
  t.is(await left(), 1);
  for (const _ of [1, 2]) await removeGroup(app.context(), group.id, at);
  t.is(await left(), 0);
});
