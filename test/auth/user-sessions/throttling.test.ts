import test from 'ava';
import { useApp } from '../../core/app.js';
import { PASSWORD, postJson, userWithPassword } from '../../core/signed-in.js';

const app = useApp(test, [], { limitsOn: true, trustedProxies: '127.0.0.1' });

const tryOf = (login: string, password: string, from = '192.0.2.1') =>
  postJson(app.withHeaders({ 'X-Forwarded-For': from }), '/users/sign_in', { login, password });

let hours = 0;
test.serial.beforeEach(() => app.clock.set(new Date(Date.UTC(2030, 0, 1, (hours += 1))).toISOString()));
test.serial.afterEach.always(() =>
  app.set({ sign_in_limit: 10, sign_in_address_limit: 100, sign_in_account_limit: 100 }),
);

// Contract: signin-limit
test.serial(
  'an account is tried so many times a minute from an address, by its name and its address together',
  async (t) => {
    const user = await userWithPassword(app, { email: 'counted@example.com' });
    await app.set({ sign_in_limit: 6 });
    const statuses: number[] = [];
    for (const login of [user.username, 'counted@example.com', user.username.toUpperCase()])
      for (let n = 0; n < 2; n += 1) statuses.push((await tryOf(login, 'wrong')).status);
    t.deepEqual(statuses, [401, 401, 401, 401, 401, 401]);
    const rejection = await tryOf(user.username, PASSWORD);
    t.is(rejection.status, 429);
    t.deepEqual(rejection.body, {
      message: { error: 'This endpoint has been requested too many times. Try again later.' },
    });
    t.regex(rejection.headers.get('retry-after') ?? '', /^\d+$/);
    app.clock.advance('1 minute');
    t.is((await tryOf(user.username, PASSWORD)).status, 200);
  },
);

// Contract: signin-limit
test.serial('who fails for an account locks out neither its owner elsewhere nor others at the address', async (t) => {
  const [user, other] = [await userWithPassword(app), await userWithPassword(app)];
  await app.set({ sign_in_limit: 2 });
  for (let n = 0; n < 30; n += 1) await tryOf(user.username, 'wrong');
  t.is((await tryOf(user.username, PASSWORD)).status, 429);
  t.is((await tryOf(user.username, PASSWORD, '192.0.2.2')).status, 200, 'the owner, from a fresh address');
  t.is((await tryOf(other.username, PASSWORD)).status, 200, 'somebody else, from the same address');
});

test.serial('an address that tries many accounts is refused, but not who signed in from there before', async (t) => {
  const [regular, fresh] = [await userWithPassword(app), await userWithPassword(app)];
  t.is((await tryOf(regular.username, PASSWORD)).status, 200);
  await app.set({ sign_in_address_limit: 5 });
  app.clock.advance('1 minute');
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) statuses.push((await tryOf(`nobody${n}`, 'wrong')).status);
  t.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
  t.is((await tryOf(fresh.username, PASSWORD)).status, 429);
  t.is((await tryOf(regular.username, PASSWORD)).status, 200);
});

test.serial(
  'an account that is tried from many addresses is refused from new ones, but not from known ones',
  async (t) => {
    const user = await userWithPassword(app);
    t.is((await tryOf(user.username, PASSWORD, '198.51.100.1')).status, 200);
    await app.set({ sign_in_account_limit: 5 });
    app.clock.advance('1 minute');
    for (let n = 1; n <= 5; n += 1) t.is((await tryOf(user.username, 'wrong', `192.0.2.${n}`)).status, 401);
    t.is((await tryOf(user.username, PASSWORD, '192.0.2.9')).status, 429);
    t.is((await tryOf(user.username, PASSWORD, '198.51.100.1')).status, 200);
  },
);
