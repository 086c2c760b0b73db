import { sql } from 'kysely';
import { queries } from '../../core/database/compile.js';
import { prepareStatement } from '../../core/database/prepared.js';
import type { AuthDatabase } from '../auth.entities.js';
import type { TokenSource } from '../../core/context/token-source.js';

declare module '../../core/context/callers.js' {
  interface TokenKinds {
    access: true;
  }
}

/** Personal, impersonation, project and group access tokens. They end when the day that they name begins, UTC. */
export const accessTokens: TokenSource = {
  kind: 'access',
  carriers: ['private_token', 'bearer', 'basic'],
  withDigest: (digest) =>
    queries<AuthDatabase>()
      .selectFrom('personal_access_tokens as a')
      .select((eb) => [
        'a.id',
        'a.user_id',
        'a.scopes',
        'a.revoked',
        sql<Date | null>`${eb.ref('a.expires_on')}::timestamp at time zone 'UTC'`.as('ends_at'),
        'a.last_used_at',
        eb.cast<unknown>(eb.lit(null), 'jsonb').as('details'),
      ])
      .where('a.digest', '=', digest),
  noteUse: prepareStatement<AuthDatabase, { id: number; at: Date }>((db, { id, at }) =>
    db.updateTable('personal_access_tokens').set({ last_used_at: at }).where('id', '=', id),
  ),
};
