import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { list, oneOf } from '../../core/operations/fields.js';
import { can, instance, operation } from '../../core/operations/operation.js';
import { userById } from '../../tenancy/users/user.finder.js';
import { userPolicy } from '../../tenancy/users/user.policy.js';
import { recordToken } from './record-tokens.js';
import { insertToken } from './create-token.js';
import type { PlainToken } from './personal-access-token.serializer.js';
import { daysFromNow, expiryProblem, newTokenParams, valueProblem } from './token-values.js';

interface TokenAttributes {
  name: string;
  description?: string | null | undefined;
  scopes: readonly string[];
  expires_at?: string | undefined;
}

/**
 * Checks what was sent for a person's token, stores it and answers it with the token itself.
 * @throws Invalid 422 for name and scopes, 400 for the day that it ends on (core-resources.md section 2)
 */
export async function createToken(
  ctx: Context,
  userId: number,
  attributes: TokenAttributes,
  options: { impersonation?: boolean } = {},
): Promise<PlainToken> {
  const problem = valueProblem(attributes);
  if (problem !== null) throw new Invalid(problem, 422);
  const expiry = expiryProblem(ctx, attributes.expires_at);
  if (expiry !== null) throw new Invalid(expiry);
  const { record, plain } = await insertToken(ctx, {
    user_id: userId,
    name: attributes.name,
    description: attributes.description ?? null,
    scopes: [...new Set(attributes.scopes)],
    expires_on: attributes.expires_at ?? null,
    impersonation: options.impersonation ?? false,
  });
  await recordToken(ctx, 'created', record.id);
  return { ...record, plain };
}

/** Create a token for a user. Requires an administrator. Only this response ever shows it. */
export const createTokenForUser = operation({
  name: 'createTokenForUser',
  summary: 'Create a personal access token for a user',
  resource: userById,
  can: can(userPolicy, 'create_personal_access_token'),
  kind: 'write',
  params: newTokenParams,
  run: (ctx, found, input) => createToken(ctx, found.id, input),
});

/** Scopes of tokens that users create for themselves over the API: none that reads or changes their data. */
const OWN_SCOPES = ['k8s_proxy', 'self_rotate'] as const;

/** Create a token with limited scopes for the caller; it expires tomorrow unless another date is specified. */
export const createOwnToken = operation({
  name: 'createOwnToken',
  summary: 'Create a personal access token with limited scopes',
  resource: instance,
  kind: 'write',
  params: {
    ...newTokenParams,
    scopes: list(oneOf(OWN_SCOPES), { commas: true }).describe('Scopes of the token.'),
  },
  run: (ctx, _instance, input) =>
    createToken(ctx, ctx.caller.user.id, { ...input, expires_at: input.expires_at ?? daysFromNow(ctx, 1) }),
});
