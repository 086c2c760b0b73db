import test from 'ava';
import { sql } from 'kysely';
import { cleanUpSessions } from '../../../shared/auth/auth.jobs.js';
import { useApp } from '../../core/app.js';
import { signIn } from '../../core/signed-in.js';
import { OauthSandbox } from '../oauth/oauth-browser.js';

const app = useApp(test);
const sandbox = new OauthSandbox(app);

const count = async (table: 'user_sessions' | 'oauth_records' | 'oauth_access_tokens' | 'oauth_grants') => {
  const rows = await app.context().query<{ n: number }>(sql`
    select count(*)::int as n from user_sessions where ${table} = 'user_sessions'
    union all select count(*)::int from oauth_records where ${table} = 'oauth_records'
    union all select count(*)::int from oauth_access_tokens where ${table} = 'oauth_access_tokens'
    union all select count(*)::int from oauth_grants where ${table} = 'oauth_grants'`);
  return Math.max(...rows.map(({ n }) => n));
};

async function tidy() {
  const ctx = app.context();
  await ctx.transaction(() => ctx.jobs.send(cleanUpSessions, {}));
  await app.work();
}

// Contract: signin-over
test.serial('what is over is removed, once and twice, and what is not stays', async (t) => {
  const { user, browser } = await sandbox.person();
  await sandbox.tokens(await sandbox.application(), browser);
  await tidy();
  t.is(await count('user_sessions'), 1);
  t.is(await count('oauth_access_tokens'), 1);
  t.true((await count('oauth_records')) > 0);
  app.clock.advance('29 days');
  const fresh = await signIn(app, user);
  await tidy();
  await tidy();
  t.is(await count('user_sessions'), 1);
  t.is((await fresh.client.get('/user')).status, 200);
  t.is(await count('oauth_access_tokens'), 1);
  app.clock.advance('200 days');
  await tidy();
  t.is(await count('user_sessions'), 0);
  t.is(await count('oauth_records'), 0);
  t.is(await count('oauth_access_tokens'), 0);
  t.is(await count('oauth_grants'), 1);
});
