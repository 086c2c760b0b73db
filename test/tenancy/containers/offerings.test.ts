import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: plans-custom-attributes
test('the hosted service has no custom attributes: 404 for everybody, and lists ignore what is asked', async (t) => {
  const admin = app.as(await app.build.admin());
  const user = await app.build.user();
  const base = `/users/${user.id}/custom_attributes`;
  await admin.put(`${base}/k`, { value: 'v' });
  await app.set({ offering: 'saas' });
  for (const caller of [admin, app.as(user), app.anonymous])
    t.deepEqual((await caller.get(base)).body, { message: '404 Not Found' });
  t.is((await admin.put(`${base}/k`, { value: 'w' })).status, 404);
  const listed = await admin.get(
    `/users?username=${user.username}&custom_attributes[k]=other&with_custom_attributes=true`,
  );
  t.is(listed.body.length, 1);
  t.false('custom_attributes' in listed.body[0]);
  await app.set({ offering: 'dedicated' });
  t.deepEqual((await admin.get(`${base}/k`)).body, { key: 'k', value: 'v' });
});
