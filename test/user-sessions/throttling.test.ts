import test from 'ava';
import { useApp } from '../core/app.js';
import { PASSWORD, postJson, userWithPassword } from '../core/signed-in.js';

const app = useApp(test, [], { limitsOn: true });
const tryOf = (login: string, password: string) => postJson(app.anonymous, '/users/sign_in', { login, password });

test.serial(
  'an account is tried so many times a minute, by its name and its address together, and then refused',
  async (t) => {
    const user = await userWithPassword(app, { email: 'counted@example.com' });
    await app.set({ sign_in_limit: 6 });
    const statuses: number[] = [];
    for (const login of [user.username, 'counted@example.com', user.username.toUpperCase()])
      for (let n = 0; n < 2; n += 1) statuses.push((await tryOf(login, 'wrong')).status);
    t.deepEqual(statuses, [401, 401, 401, 401, 401, 401]);
    const refused = await tryOf(user.username, PASSWORD);
    t.is(refused.status, 429);
    t.deepEqual(refused.body, {
      message: { error: 'This endpoint has been requested too many times. Try again later.' },
    });
    t.regex(refused.headers.get('retry-after') ?? '', /^\d+$/);
  },
);

test.serial('an address is refused whatever account it tries, until the minute is over', async (t) => {
  const user = await userWithPassword(app);
  t.is((await tryOf(user.username, PASSWORD)).status, 429);
  app.clock.advance('1 minute');
  t.is((await tryOf(user.username, PASSWORD)).status, 200);
});
