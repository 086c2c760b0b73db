import type { Context } from '../../core/context/context.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { constant } from '../../core/database/expressions.js';
import type { AuthDatabase } from '../auth.entities.js';
import { today } from '../../tenancy/namespaces/access.js';
import { daysFromNow } from './token-values.js';

/** Number of days before expiry at which the owner is notified. */
const DAYS_BEFORE = 7;
const MAX_LISTED = 10;

interface EndingToken {
  id: number;
  name: string;
  expires_on: string;
}

const endingTokenSerializer = serializer<EndingToken>('EndingToken', {
  id: out.integer((token) => token.id),
  name: out.text((token) => token.name),
  expires_at: out.text((token) => token.expires_on),
});

/** A person's own tokens that work and end within a week, the next first. */
export async function presentEndingTokens(ctx: Context, userId: number): Promise<Record<string, unknown>[]> {
  const found = await ctx.em
    .getKysely<AuthDatabase>()
    .selectFrom('personal_access_tokens as t')
    .select(['t.id', 't.name', 't.expires_on'])
    .where('t.user_id', '=', userId)
    .where('t.impersonation', '=', constant(false))
    .where('t.revoked', '=', constant(false))
    .where('t.expires_on', '>', today(ctx))
    .where('t.expires_on', '<=', daysFromNow(ctx, DAYS_BEFORE))
    .$narrowType<{ expires_on: string }>()
    .orderBy('t.expires_on')
    .orderBy('t.id')
    .limit(constant(MAX_LISTED))
    .execute();
  return found.map((token) => endingTokenSerializer.present(token, ctx));
}
