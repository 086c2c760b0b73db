import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { queryOne } from '../../core/query-one.js';

const app = useApp(test);

/** The value in the database; the use is written asynchronously, so it may take a while to become `expected`. */
async function lastUse(tokenId: number, expected: string): Promise<string | null> {
  let found: string | null = null;
  for (let attempt = 0; attempt < 500 && found !== expected; attempt += 1) {
    if (attempt > 50) await pause(20);
    const row = await queryOne<{ last_used_at: Date | null }>(
      app.context(),
      sql`
      select last_used_at from personal_access_tokens where id = ${tokenId}`,
    );
    found = row?.last_used_at?.toISOString() ?? null;
  }
  return found;
}

const NOW = '2030-01-01T00:00:00.000Z';

// Contract: core-2.last-use
test('the last use of a token is written, once a minute at most', async (t) => {
  const user = await app.build.user();
  const use = async (before: string) => {
    await app.context().query(sql`
      update personal_access_tokens set last_used_at = ${before} where id = ${user.token_id}`);
    app.tokens.forget();
    await app.as(user).get('/user');
  };
  await app.as(user).get('/user');
  t.is(await lastUse(user.token_id, NOW), NOW);
  t.is((await app.as(user).get('/personal_access_tokens/self')).body.last_used_at, NOW);
  await use('2029-12-31T23:59:01.000Z');
  // The next write of all is this one's, so the one before was either done or never made.
  const other = await app.build.user();
  await app.as(other).get('/user');
  await lastUse(other.token_id, NOW);
  t.is(await lastUse(user.token_id, '2029-12-31T23:59:01.000Z'), '2029-12-31T23:59:01.000Z');
  await use('2029-12-31T23:59:00.000Z');
  t.is(await lastUse(user.token_id, NOW), NOW);
});

// Contract: core-2.last-use
test('a token that is refused is not used', async (t) => {
  const user = await app.build.user();
  const revoked = await app.build.token(user);
  await app.as(user).delete(`/personal_access_tokens/${revoked.token_id}`);
  t.is((await app.as(revoked).get('/user')).status, 401);
  const other = await app.build.user();
  await app.as(other).get('/user');
  await lastUse(other.token_id, NOW);
  t.is((await app.as(user).get(`/personal_access_tokens/${revoked.token_id}`)).body.last_used_at, null);
});
