import { queries } from '../../core/database/compile.js';
import { prepareStatement } from '../../core/database/prepared.js';
import type { AuthDatabase } from '../auth.entities.js';
import type { TokenSource } from '../../core/context/token-source.js';

declare module '../../core/context/callers.js' {
  interface TokenKinds {
    oauth: true;
  }
}

/** Access tokens of applications: two hours at most, and no longer than what they were issued for. */
export const oauthTokens: TokenSource = {
  kind: 'oauth',
  carriers: ['access_token', 'bearer', 'basic'],
  withDigest: (digest) =>
    queries<AuthDatabase>()
      .selectFrom('oauth_access_tokens as o')
      .select((eb) => [
        'o.id',
        'o.user_id',
        'o.scopes',
        eb('o.revoked_at', 'is not', null).$castTo<boolean>().as('revoked'),
        'o.expires_at as ends_at',
        'o.last_used_at',
        eb.cast<unknown>(eb.lit(null), 'jsonb').as('details'),
      ])
      .where('o.digest', '=', digest),
  noteUse: prepareStatement<AuthDatabase, { id: number; at: Date }>((db, { id, at }) =>
    db.updateTable('oauth_access_tokens').set({ last_used_at: at }).where('id', '=', id),
  ),
};
