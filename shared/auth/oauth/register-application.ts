import { randomBytes } from 'node:crypto';
import type { SignedInContext } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { boolean, text, withDefault } from '../../core/operations/fields.js';
import { generateToken } from '../../core/values/secrets.js';
import type { EventUser } from '../../tenancy/tenancy.events.js';
import { OauthApplication } from './oauth-application.entity.js';
import type { ApplicationWithSecret } from './oauth-application.serializer.js';
import { redirectUriProblem, getRedirectUris } from './redirect-uris.js';

const SECRET_PREFIX = 'oas-';

/** Parameters of a new application. */
export const applicationParams = {
  name: text()
    .describe('Name of the application, displayed to users when they are asked for consent.')
    .meta({ examples: ['Dashboard'] }),
  redirect_uri: text()
    .describe('Redirect URIs to which browsers are redirected with the authorization code, one per line.')
    .meta({ examples: ['https://client.example/callback'] }),
  scopes: text()
    .describe('Scopes that the application may request, separated by spaces.')
    .meta({ examples: ['api read_user'] }),
  confidential: withDefault(boolean(), true).describe(
    'If `true`, the application can keep the client secret confidential, as programs on servers can.',
  ),
};

interface ApplicationAttributes {
  name: string;
  redirect_uri: string;
  scopes: string;
  confidential: boolean;
}

/** @throws Invalid with every problem */
function requireValues(
  name: string,
  uris: readonly string[],
  scopes: readonly string[],
  allowedScopes: readonly string[],
) {
  const problems: Record<string, string[]> = {};
  if (name.trim() === '') problems.name = ["can't be blank"];
  else if ([...name].length > 255) problems.name = ['is too long (maximum is 255 characters)'];
  const problem = redirectUriProblem(uris);
  if (problem !== null) problems.redirect_uri = [problem];
  if (scopes.length === 0) problems.scopes = ["can't be blank"];
  else if (!scopes.every((scope) => allowedScopes.includes(scope)))
    problems.scopes = ["doesn't match configured on the server."];
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}

/**
 * Registers an application. Only this response shows its secret.
 * @param allowedScopes the scopes that it may request
 * @param owner null for an application of the instance
 * @throws Invalid with all problems
 */
export async function registerApplication(
  ctx: SignedInContext,
  input: ApplicationAttributes,
  allowedScopes: readonly string[],
  owner: EventUser | null,
): Promise<ApplicationWithSecret> {
  const uris = [...new Set(getRedirectUris(input.redirect_uri))];
  const scopes = [...new Set(input.scopes.split(/[\s,]+/).filter((scope) => scope !== ''))];
  requireValues(input.name, uris, scopes, allowedScopes);
  const now = ctx.clock.now();
  const secret = generateToken(SECRET_PREFIX);
  const values = {
    owner_id: owner?.id ?? null,
    uid: randomBytes(32).toString('hex'),
    name: input.name,
    redirect_uris: uris,
    scopes,
    confidential: input.confidential,
    secret_digest: ctx.services.keys.digest(secret),
    created_at: now,
    updated_at: now,
  };
  const application = { id: await ctx.em.insert(OauthApplication, values), ...values };
  ctx.record({ type: 'oauth_application.created', application, owner });
  return { ...application, secret };
}

/** Deletes an application: its tokens are refused from then on. */
export async function removeApplication(
  ctx: SignedInContext,
  application: OauthApplication,
  owner: EventUser | null,
): Promise<void> {
  await ctx.em.nativeDelete(OauthApplication, { id: application.id });
  ctx.record({ type: 'oauth_application.deleted', application, owner });
  ctx.afterCommit(() => ctx.services.forgetCallers());
}

/** Gives an application another secret: the one before is refused at once, what was issued stays. */
export async function renewSecret(
  ctx: SignedInContext,
  application: OauthApplication,
  owner: EventUser | null,
): Promise<ApplicationWithSecret> {
  const secret = generateToken(SECRET_PREFIX);
  const changed = { secret_digest: ctx.services.keys.digest(secret), updated_at: ctx.clock.now() };
  await ctx.em.nativeUpdate(OauthApplication, { id: application.id }, changed);
  ctx.record({ type: 'oauth_application.secret_renewed', application, owner });
  return { ...application, secret };
}
