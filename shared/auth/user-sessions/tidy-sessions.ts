import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { constant } from '../../core/database/expressions.js';
import type { AuthDatabase } from '../auth.entities.js';
import { expireInitialCredentials } from '../administration/initial-credentials.js';

const DAY_MS = 86_400_000;
/** How long an expired token is reported as expired; afterwards it is treated as unknown. */
const EXPIRED_TOKEN_DAYS = 30;
/** Removed by one statement, so that none holds many rows. */
const AT_ONCE = 5000;

async function remove(ctx: Context, statement: { execute(): Promise<unknown[]> }): Promise<number> {
  let removed = 0;
  await inSteps(ctx, async () => {
    const { length } = await statement.execute();
    removed += length;
    return length === AT_ONCE;
  });
  return removed;
}

/**
 * Deletes expired records and those that are no longer shown: sessions, codes, refresh tokens, requests for consent,
 * access tokens, grants.
 */
export async function cleanUp(ctx: Context): Promise<{ sessions: number; records: number; tokens: number }> {
  const now = ctx.clock.now();
  const idle = new Date(now.getTime() - ctx.settings.session_expire_delay * 60_000);
  const old = new Date(now.getTime() - EXPIRED_TOKEN_DAYS * DAY_MS);
  const db = ctx.em.getKysely<AuthDatabase>();
  const batchSize = constant(AT_ONCE);
  const sessions = await remove(
    ctx,
    db
      .deleteFrom('user_sessions')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('user_sessions')
          .select('id')
          .where((of) => of.or([of('expires_at', '<=', now), of('last_used_at', '<=', idle)]))
          .limit(batchSize),
      )
      .returning('id'),
  );
  const records = await remove(
    ctx,
    db
      .deleteFrom('oauth_records')
      .where('id', 'in', (eb) =>
        eb.selectFrom('oauth_records').select('id').where('expires_at', '<=', now).limit(batchSize),
      )
      .returning('id'),
  );
  const tokens = await remove(
    ctx,
    db
      .deleteFrom('oauth_access_tokens')
      .where('id', 'in', (eb) =>
        eb.selectFrom('oauth_access_tokens').select('id').where('expires_at', '<=', old).limit(batchSize),
      )
      .returning('id'),
  );
  // A revoked grant is retained as long as a token may still refer to it.
  await remove(
    ctx,
    db
      .deleteFrom('oauth_grants')
      .where('id', 'in', (eb) =>
        eb.selectFrom('oauth_grants').select('id').where('revoked_at', '<=', old).limit(batchSize),
      )
      .returning('id'),
  );
  await expireInitialCredentials(ctx);
  return { sessions, records, tokens };
}
