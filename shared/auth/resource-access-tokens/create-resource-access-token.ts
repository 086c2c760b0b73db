import { Invalid } from '../../core/values/errors.js';
import { containerColumns } from '../../core/operations/container.js';
import type { ContainerType, FoundContainer } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { list, oneOf, oneOfIntegers, withDefault } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { recordToken } from '../personal-access-tokens/record-tokens.js';
import { insertToken, TOKEN_SCOPES } from '../personal-access-tokens/create-token.js';
import type { PlainToken } from '../personal-access-tokens/personal-access-token.serializer.js';
import { ADMINISTRATOR_SCOPES } from '../personal-access-tokens/token-rights.js';
import { expiryProblem, newTokenParams, valueProblem } from '../personal-access-tokens/token-values.js';
import type { Container } from '../../tenancy/containers/container.js';
import { createBot } from './create-bot.js';
import { resourceAccessTokenPolicy } from './resource-access-token.policy.js';

/** What speaks for people, and for administrators, is nothing that a bot has. */
const NOT_FOR_BOTS: readonly string[] = ['read_user', ...ADMINISTRATOR_SCOPES];
const BOT_SCOPES = TOKEN_SCOPES.filter((scope) => !NOT_FOR_BOTS.includes(scope));

const badRequest = (reason: string) => new Invalid(`400 Bad request - ${reason}`);

/** Callers cannot create a token with a level above their own. @throws Invalid */
function requireLevel(ctx: Context, container: FoundContainer, level: number): void {
  if (!ctx.caller.admin && level > container.access)
    throw badRequest("Access level of the token can't be greater the access level of the user who created the token");
}

/** Creating a token of a project or group, with the bot that it acts as. */
export function resourceAccessTokenCreation({ kind: of, noun, resource }: ContainerType<Container>) {
  return operation({
    name: `create${noun}AccessToken`,
    summary: `Create a ${of} access token`,
    resource,
    can: can(resourceAccessTokenPolicy, 'create_resource_access_token'),
    denial: () => badRequest(`User does not have permission to create ${of} access token`),
    kind: 'write',
    params: {
      ...newTokenParams,
      scopes: list(oneOf(BOT_SCOPES), { commas: true }).describe('Scopes of the token.'),
      access_level: withDefault(oneOfIntegers([10, 15, 20, 30, 40, 50]), ACCESS_LEVELS.maintainer).describe(
        'Access level of the token; not higher than your own.',
      ),
    },
    async run(ctx, container, input): Promise<PlainToken> {
      requireLevel(ctx, container, input.access_level);
      const problem = valueProblem(input) ?? expiryProblem(ctx, input.expires_at);
      if (problem !== null) throw badRequest(problem);
      const { access_level } = input;
      const expires_on = input.expires_at ?? null;
      const { record, plain } = await insertToken(ctx, {
        user_id: await createBot(ctx, container, input.name, { access_level, expires_on }),
        name: input.name,
        description: input.description ?? null,
        scopes: [...new Set(input.scopes)],
        expires_on,
        access_level,
        ...containerColumns(container),
      });
      await recordToken(ctx, 'created', record.id);
      return { ...record, plain };
    },
  });
}
