import type { Context } from '../../core/context.js';
import { out, shape } from '../../core/shape.js';
import { sql } from '../../core/sql.js';
import { today } from '../../tenancy/access/access.js';

/** So many days before a token ends its owner is told. */
const DAYS_BEFORE = 7;
const TOLD_AT_MOST = 10;

interface EndingToken {
  id: number;
  name: string;
  expires_on: string;
}

const endingTokenShape = shape<EndingToken>('EndingToken', {
  id: out.integer((token) => token.id),
  name: out.text((token) => token.name),
  expires_at: out.text((token) => token.expires_on),
});

/** A person's own tokens that work and end within a week, the next first. */
export async function presentEndingTokens(ctx: Context, userId: number): Promise<Record<string, unknown>[]> {
  const found = await ctx.query<EndingToken>(sql`
    select t.id, t.name, t.expires_on::text as expires_on from personal_access_tokens t
     where t.user_id = ${userId} and not t.impersonation and not t.revoked
       and t.expires_on > ${today(ctx)}::date and t.expires_on <= ${today(ctx)}::date + ${DAYS_BEFORE}::integer
     order by t.expires_on, t.id limit ${TOLD_AT_MOST}`);
  return found.map((token) => endingTokenShape.present(token, ctx));
}
