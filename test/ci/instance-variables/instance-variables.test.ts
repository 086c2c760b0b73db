import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);
const PATH = '/admin/ci/variables';

// Contract: pipelines.instance-variables
test('administrators list the variables of the instance, of which there are none; nothing is written', async (t) => {
  const admin = app.as(await app.build.admin());
  const { status, body, headers } = await admin.get(PATH);
  t.deepEqual([status, body], [200, []]);
  t.is(headers.get('x-total'), '0');
  t.is((await app.as(await app.build.user()).get(PATH)).status, 403);
  t.is((await app.anonymous.get(PATH)).status, 401);
  for (const answer of [
    await admin.get(`${PATH}/KEY`),
    await admin.post(PATH, { key: 'KEY', value: 'x' }),
    await admin.put(`${PATH}/KEY`, { value: 'x' }),
    await admin.delete(`${PATH}/KEY`),
  ])
    t.deepEqual([answer.status, answer.body], [404, { error: '404 Not Found' }]);
});
