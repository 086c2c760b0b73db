import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: operations.features
test('administrators list feature flags, of which there are none; nothing is written', async (t) => {
  const admin = app.as(await app.build.admin());
  const user = app.as(await app.build.user());
  for (const path of ['/features', '/features/definitions']) {
    const { status, body } = await admin.get(path);
    t.deepEqual([status, body], [200, []]);
    t.is((await user.get(path)).status, 403);
    t.is((await app.anonymous.get(path)).status, 401);
  }
  for (const answer of [
    await admin.post('/features/some_flag', { value: true }),
    await admin.delete('/features/some_flag'),
    await admin.post('/features', { name: 'some_flag' }),
    await admin.put('/features/definitions'),
  ]) {
    t.deepEqual([answer.status, answer.body], [404, { error: '404 Not Found' }]);
  }
});
