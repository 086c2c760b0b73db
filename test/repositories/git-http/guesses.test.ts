import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { PASSWORD, userWithPassword } from '../../core/signed-in.js';
import { basic } from './git-client.js';

const app = useApp(test, [], { limitsOn: true, trustedProxies: '127.0.0.1' });

async function request(path: string, username: string, password: string, from = '192.0.2.1') {
  const headers = { ...basic(username, password), 'X-Forwarded-For': from };
  const answer = await app.withHeaders(headers).raw('GET', `/${path}.git/info/refs?service=git-upload-pack`);
  return { status: answer.status, text: answer.text, retry: answer.headers.get('retry-after') };
}

const times = async (count: number, work: (n: number) => Promise<{ status: number }>) => {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) statuses.push((await work(n)).status);
  return statuses;
};

// Contract: git-http-2.guesses
test.serial('wrong tokens are counted by address and name, and whoever has the right one is let through', async (t) => {
  await app.set({ token_guess_limit: 3, sign_in_limit: 0 });
  const { full_path, owner } = await app.build.project();
  const wrong = (n: number) => request(full_path, owner.username, `${owner.token.slice(0, -2)}${n}x`);
  t.deepEqual(await times(5, wrong), [401, 401, 401, 429, 429]);
  const rejection = await wrong(9);
  t.is(rejection.text, 'Too many tries. Try again later.\n');
  t.regex(rejection.retry ?? '', /^\d+$/);
  t.is((await request(full_path, owner.username, owner.token)).status, 200);
  t.is((await request(full_path, 'another', 'wrong')).status, 401);
  t.is((await request(full_path, owner.username, `${owner.token}x`, '192.0.2.2')).status, 401);
});

// Contract: git-http-2.password-limit
test.serial('passwords are tried as often as at signing in, right ones cost a try once, tokens none', async (t) => {
  app.clock.advance('1 hour');
  await app.set({ token_guess_limit: 0, token_guess_address_limit: 0, sign_in_limit: 3 });
  const owner = await userWithPassword(app);
  const { full_path } = await app.build.project({ owner });
  t.deepEqual(await times(6, () => request(full_path, owner.username, PASSWORD)), [200, 200, 200, 200, 200, 200]);
  const revoked = await app.build.token(owner);
  await app.as(revoked).delete('/personal_access_tokens/self');
  const unknown = `${owner.token.slice(0, -4)}none`;
  t.deepEqual(await times(5, () => request(full_path, owner.username, unknown)), [401, 401, 401, 401, 401]);
  t.deepEqual(await times(4, (n) => request(full_path, owner.username, `wrong ${n}`)), [401, 401, 429, 429]);
  t.is((await request(full_path, owner.username, PASSWORD)).status, 200, 'the one that was right a moment ago');
  const failures = await app.context().query(sql`
    select 1 as found from audit_events where event_name = 'sign_in_failed' and entity_id = ${owner.id}`);
  t.is(failures.length, 2);
});
