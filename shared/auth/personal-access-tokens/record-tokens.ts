import type { Context } from '../../core/context/context.js';
import { nested, nestedOrNull } from '../../core/database/columns.js';
import { anyOf } from '../../core/database/expressions.js';
import type { AuthDatabase } from '../auth.entities.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { TokenSummary, RevocationReason } from '../auth.events.js';

/** Tokens as events name them, in the order of their ids. */
function tokenSummaries(ctx: Context, tokenIds: readonly number[]): Promise<TokenSummary[]> {
  return ctx.em
    .getKysely<AuthDatabase>()
    .selectFrom('personal_access_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .leftJoin('namespaces as n', 'n.owner_id', 'u.id')
    .leftJoin('projects as p', 'p.id', 't.project_id')
    .leftJoin('routes as pr', 'pr.project_id', 'p.id')
    .leftJoin('routes as g', 'g.namespace_id', 't.namespace_id')
    .select((eb) => [
      't.id',
      't.name',
      't.impersonation',
      ...nested('user', User, 'u', { only: ['id', 'username'], more: { namespace_id: eb.ref('n.id') } }),
      ...nestedOrNull('project', Project, 'p', {
        only: ['id', 'namespace_id'],
        more: { full_path: eb.ref('pr.path') },
      }),
      eb.ref('g.namespace_id').as('group.id'),
      eb.ref('g.path').as('group.full_path'),
    ])
    .where('t.id', '=', anyOf(tokenIds, 'bigint'))
    .orderBy('t.id')
    .$castTo<TokenSummary>()
    .execute();
}

/** Records the creation or rotation of a token: its name and id, never the secret. */
export async function recordToken(ctx: Context, what: 'created' | 'rotated', tokenId: number): Promise<void> {
  for (const token of await tokenSummaries(ctx, [tokenId])) ctx.record({ type: `token.${what}`, token });
}

/** Records the revocation of tokens, by a user or for another reason. */
export async function recordRevoked(
  ctx: Context,
  tokenIds: readonly number[],
  reason: RevocationReason | null = null,
): Promise<void> {
  if (tokenIds.length === 0) return;
  for (const token of await tokenSummaries(ctx, tokenIds)) ctx.record({ type: 'token.revoked', token, reason });
}
