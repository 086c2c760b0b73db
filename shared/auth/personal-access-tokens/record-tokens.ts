import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { NamedToken, RevocationReason } from '../auth.events.js';

/** Tokens as events name them, in the order of their ids. */
function namedTokens(ctx: Context, tokenIds: readonly number[]): Promise<NamedToken[]> {
  return ctx.query<NamedToken>(sql`
    select t.id as "id", t.name as "name", t.impersonation as "impersonation",
           u.id as "user.id", u.username as "user.username", n.id as "user.namespace_id",
           p.id as "project.id", p.namespace_id as "project.namespace_id", pr.path as "project.full_path",
           g.namespace_id as "group.id", g.path as "group.full_path"
      from personal_access_tokens t join users u on u.id = t.user_id
      left join namespaces n on n.owner_id = u.id
      left join projects p on p.id = t.project_id left join routes pr on pr.project_id = p.id
      left join routes g on g.namespace_id = t.namespace_id
     where t.id = any(${tokenIds}::bigint[]) order by t.id`);
}

/** Tells of a token that was made, in the place of another one or not: its name and id, never the token. */
export async function recordToken(ctx: Context, what: 'created' | 'rotated', tokenId: number): Promise<void> {
  for (const token of await namedTokens(ctx, [tokenId])) ctx.record({ type: `token.${what}`, token });
}

/** Tells of tokens that were revoked: by somebody, or for what reason else. */
export async function recordRevoked(
  ctx: Context,
  tokenIds: readonly number[],
  reason: RevocationReason | null = null,
): Promise<void> {
  if (tokenIds.length === 0) return;
  for (const token of await namedTokens(ctx, tokenIds)) ctx.record({ type: 'token.revoked', token, reason });
}
