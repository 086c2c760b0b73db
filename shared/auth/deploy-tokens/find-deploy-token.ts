import { timingSafeEqual } from 'node:crypto';
import type { BasicReader } from '../../core/context/token-source.js';
import type { Services } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { prepareQuery, prepareStatement } from '../../core/database/prepared.js';
import type { AuthDatabase } from '../auth.entities.js';
import { DeployTokenCaller } from './deploy-token-caller.js';
import { DeployToken } from './deploy-token.entity.js';
import { isExpired, getUsername } from './deploy-token-state.js';
import { MAX_USERNAME } from './deploy-token-values.js';

/** What Basic credentials hold. */
export interface DeployCredentials {
  username: string;
  token: string;
}

/** Longer than any that is made here. */
const MAX_TOKEN = 255;
/** `last_used_at` is written at most this often for a token. */
const LAST_USED_EVERY_MS = 60_000;

/**
 * The caller for a username and a deploy token, or null: without distinction for unknown, revoked and expired tokens
 * and for another token's username. Nothing is cached between calls, so every process refuses a token as soon as its
 * revocation is committed. One statement, and at most once a minute per token another one that records its use. Tokens
 * are compared by keyed digests, usernames in constant time.
 */
export async function findDeployToken(
  services: Services,
  { username, token }: DeployCredentials,
): Promise<DeployTokenCaller | null> {
  if (username.length > MAX_USERNAME) return null;
  return findToken(services, token, (found) =>
    isSame(services, username, getUsername(found, services.settings.current)),
  );
}

/** The same for a token that is sent without a user name, as clients of packages do. */
export const findDeployTokenAlone = (services: Services, token: string): Promise<DeployTokenCaller | null> =>
  findToken(services, token, () => true);

const withDigest = prepareQuery<AuthDatabase, { digest: Uint8Array }, DeployToken>((db, { digest }) =>
  db.selectFrom('deploy_tokens as t').select(columns(DeployToken, 't')).where('t.digest', '=', digest),
);

async function findToken(
  services: Services,
  token: string,
  fits: (found: DeployToken) => boolean,
): Promise<DeployTokenCaller | null> {
  if (token === '' || token.length > MAX_TOKEN) return null;
  const [found] = await withDigest(services.db, { digest: services.keys.digest(token) });
  if (!found || !fits(found)) return null;
  const now = services.clock.now();
  if (found.revoked || isExpired(found, now)) return null;
  await noteUse(services, found, now);
  return new DeployTokenCaller(found);
}

/** Deploy tokens as Basic credentials. */
export const basicDeployTokens: BasicReader = ({ services }, { username, password }) =>
  findDeployToken(services, { username, token: password });

/** Compares digests, which have a fixed length and reveal nothing by timing. */
const isSame = ({ keys }: Services, actual: string, expected: string): boolean =>
  timingSafeEqual(keys.digest(actual), keys.digest(expected));

const used = prepareStatement<AuthDatabase, { id: number; now: Date; since: Date }>((db, { id, now, since }) =>
  db
    .updateTable('deploy_tokens as t')
    .set({ last_used_at: now })
    .where('t.id', '=', (eb) =>
      eb
        .selectFrom('deploy_tokens as d')
        .select('d.id')
        .where('d.id', '=', id)
        .where((of) => of.or([of('d.last_used_at', 'is', null), of('d.last_used_at', '<=', since)]))
        .forNoKeyUpdate()
        .skipLocked(),
    ),
);

/** Never waits for a row lock, and a use that could not be recorded does not refuse the request. */
async function noteUse(services: Services, { id, last_used_at: before }: DeployToken, now: Date): Promise<void> {
  const since = new Date(now.getTime() - LAST_USED_EVERY_MS);
  if (before instanceof Date && before > since) return;
  try {
    await services.db.query(used({ id, now, since }));
  } catch (error) {
    services.log.warn({ err: error }, 'last use of a deploy token was not written');
  }
}
