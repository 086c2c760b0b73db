import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: core-2.own
test('a user makes a token of small reach, which ends tomorrow unless another day is named', async (t) => {
  const user = await app.build.user();
  const attributes = { name: 'tunnel', description: 'For the cluster', scopes: ['k8s_proxy', 'self_rotate'] };
  const { status, body } = await app.as(user).post('/user/personal_access_tokens', attributes);
  t.is(status, 201);
  const { id, token, ...record } = body;
  t.deepEqual(record, {
    ...attributes,
    revoked: false,
    created_at: '2030-01-01T00:00:00.000Z',
    user_id: user.id,
    last_used_at: null,
    active: true,
    expires_at: '2030-01-02',
  });
  t.is((await app.as({ ...user, token }).get('/personal_access_tokens/self')).body.id, id);
  t.is((await app.as({ ...user, token }).get('/user')).status, 403);
  const later = await app.as(user).post('/user/personal_access_tokens', { ...attributes, expires_at: '2030-06-01' });
  t.is(later.body.expires_at, '2030-06-01');
});

// Contract: core-2.own
test('no user makes a token that reads or changes anything, nor one that lives over a year', async (t) => {
  const user = await app.build.user();
  const make = (attributes: Record<string, unknown>) =>
    app.as(user).post('/user/personal_access_tokens', { name: 'x', scopes: ['k8s_proxy'], ...attributes });
  const answers = [
    await make({ scopes: ['api'] }),
    await make({ scopes: ['k8s_proxy', 'read_user'] }),
    await make({ scopes: [] }),
    await make({ name: '' }),
    await make({ expires_at: '2031-01-02' }),
    await app.as(user).post('/user/personal_access_tokens', {}),
    await app.anonymous.post('/user/personal_access_tokens', {}),
  ];
  t.deepEqual(
    answers.map(({ status, body }) => [status, body]),
    [
      [400, { error: 'scopes does not have a valid value' }],
      [400, { error: 'scopes does not have a valid value' }],
      [422, { message: "Scopes can't be blank" }],
      [422, { message: "Name can't be blank" }],
      [400, { message: 'Expiration date must be on or before 2031-01-01' }],
      [400, { error: 'name is missing, scopes is missing, scopes does not have a valid value' }],
      [401, { message: '401 Unauthorized' }],
    ],
  );
  t.is((await app.as(user).get('/personal_access_tokens')).body.length, 1, 'nothing was made');
});
