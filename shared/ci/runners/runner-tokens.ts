import type { Expression, Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import type { Caller } from '../../core/context/callers.js';
import { columns } from '../../core/database/columns.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { generateToken } from '../../core/values/secrets.js';
import type { CiDatabase } from '../ci.entities.js';
import { Runner } from './runner.entity.js';

/** Fixed: programs of runners take only a token that begins with it for one of a runner that exists already. */
const TOKEN_PREFIX = 'glrt-';
/** Of runners that registered themselves. */
const REGISTERED_PREFIX = 'glrtr-';
/** Longer than any that is made here. */
const MAX_TOKEN = 255;

/** A runner's token as it was issued, which nothing can show again. */
export interface IssuedToken {
  readonly id: number;
  readonly token: string;
  readonly token_expires_at: Date | null;
}

/** A new authentication token of a runner, which is shown once and stored as a digest. */
export const createRunnerToken = (registered = false): string =>
  generateToken(registered ? REGISTERED_PREFIX : TOKEN_PREFIX);

const withDigest = prepareQuery((db: Kysely<CiDatabase>, { digest }: { digest: Expression<Uint8Array> }) =>
  db.selectFrom('runners as r').select(columns(Runner, 'r')).where('r.token_digest', '=', digest),
);

/**
 * The runner of an authentication token; null for a token that is unknown or expired. One statement. Tokens are
 * compared by keyed digests, which reveal nothing by timing.
 */
export async function findRunnerByToken(ctx: Context<Caller>, token: string | undefined): Promise<Runner | null> {
  if (token === undefined || token === '' || token.length > MAX_TOKEN) return null;
  const [runner] = await withDigest(ctx, { digest: ctx.services.keys.digest(token) });
  if (!runner) return null;
  const { token_expires_at: expiresAt } = runner;
  return expiresAt && expiresAt <= ctx.clock.now() ? null : runner;
}
