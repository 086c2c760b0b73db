import type { Context } from '../../core/context/context.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import { text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { UserIdentity } from './user-relations.entity.js';
import { user } from './user.finder.js';
import { userPolicy } from './user.policy.js';

const MAX = 255;

/** @throws Invalid for a blank or endless name */
function requireIdentity(provider: string, externUid: string): void {
  const problems: Record<string, string[]> = {};
  for (const [field, value] of [
    ['provider', provider],
    ['extern_uid', externUid],
  ] as const) {
    if (value.trim() === '') problems[`identities.${field}`] = ["can't be blank"];
    else if (value.length > MAX) problems[`identities.${field}`] = [`is too long (maximum is ${MAX} characters)`];
  }
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}

/**
 * Replaces a user's identity at a provider. Runs in the caller's transaction; does nothing unless both provider and id
 * are set.
 * @throws Invalid if another user has that id at the provider, case-insensitive
 */
export async function setIdentity(
  ctx: Context,
  userId: number,
  input: { provider?: string | undefined; extern_uid?: string | undefined },
): Promise<void> {
  const { provider, extern_uid: externUid } = input;
  if (provider === undefined || externUid === undefined) return;
  requireIdentity(provider, externUid);
  const now = ctx.clock.now();
  await ctx.em.upsert(
    UserIdentity,
    { user_id: userId, provider, extern_uid: externUid, created_at: now, updated_at: now },
    { onConflictFields: ['user_id', 'provider'], onConflictMergeFields: ['extern_uid', 'updated_at'] },
  );
}

/** Remove a user's identity at a provider: administrators. */
export const deleteIdentity = operation({
  name: 'deleteIdentity',
  summary: "Delete a user's identity at a provider",
  resource: user,
  can: can(userPolicy, 'update_user'),
  kind: 'write',
  params: {
    provider: text()
      .describe('Name of the identity provider.')
      .meta({ examples: ['ldapmain'] }),
  },
  async run(ctx, found, input) {
    const removed = await ctx.em.nativeDelete(UserIdentity, { user_id: found.id, provider: input.provider });
    if (removed === 0) throw new NotFound('Identity');
    ctx.record({ type: 'identity.deleted', user: found, provider: input.provider });
  },
});
