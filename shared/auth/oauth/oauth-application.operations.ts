import { randomBytes } from 'node:crypto';
import { Invalid } from '../../core/errors.js';
import { boolean, text, withDefault } from '../../core/fields.js';
import { instance, operation } from '../../core/operation.js';
import { generateToken } from '../../core/secrets.js';
import { TOKEN_SCOPES } from '../personal-access-tokens/create-token.js';
import { OauthApplication } from './oauth-application.entity.js';
import { oauthApplication, visibleOauthApplications } from './oauth-application.finder.js';
import type { ApplicationWithSecret } from './oauth-application.shape.js';
import { redirectUriProblem, redirectUrisOf } from './redirect-uris.js';

const SECRET_PREFIX = 'oas-';

/** List the applications of the instance: administrators. */
export const listOauthApplications = operation({
  name: 'listOauthApplications',
  summary: 'List applications',
  subject: instance,
  gate: 'administrator',
  kind: 'read',
  statements: 3,
  run: () => Promise.resolve(visibleOauthApplications()),
});

/** @throws Invalid with every problem */
function requireValues(name: string, uris: readonly string[], scopes: readonly string[]) {
  const problems: Record<string, string[]> = {};
  if (name.trim() === '') problems.name = ["can't be blank"];
  else if ([...name].length > 255) problems.name = ['is too long (maximum is 255 characters)'];
  const problem = redirectUriProblem(uris);
  if (problem !== null) problems.redirect_uri = [problem];
  const known: readonly string[] = TOKEN_SCOPES;
  if (scopes.length === 0) problems.scopes = ["can't be blank"];
  else if (!scopes.every((scope) => known.includes(scope)))
    problems.scopes = ["doesn't match configured on the server."];
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}

/** Register an application: administrators. The answer is the only place that shows its secret. */
export const createOauthApplication = operation({
  name: 'createOauthApplication',
  summary: 'Create an application',
  subject: instance,
  gate: 'administrator',
  kind: 'write',
  params: {
    name: text()
      .describe('Name that people are shown when they are asked for consent.')
      .meta({ examples: ['Dashboard'] }),
    redirect_uri: text()
      .describe('Where browsers are sent with the code; several are one a line.')
      .meta({ examples: ['https://client.example/callback'] }),
    scopes: text()
      .describe('Scopes that it may ask for, separated by spaces.')
      .meta({ examples: ['api read_user'] }),
    confidential: withDefault(boolean(), true).describe('Whether it can keep its secret, as programs on servers can.'),
  },
  async run(ctx, _instance, input): Promise<ApplicationWithSecret> {
    const uris = [...new Set(redirectUrisOf(input.redirect_uri))];
    const scopes = [...new Set(input.scopes.split(/[\s,]+/).filter((scope) => scope !== ''))];
    requireValues(input.name, uris, scopes);
    const now = ctx.clock.now();
    const secret = generateToken(SECRET_PREFIX);
    const values = {
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
    ctx.record({ type: 'oauth_application.created', application });
    return { ...application, secret };
  },
});

/** Delete an application: its tokens are refused from then on. */
export const deleteOauthApplication = operation({
  name: 'deleteOauthApplication',
  summary: 'Delete an application',
  subject: oauthApplication,
  gate: 'administrator',
  kind: 'write',
  conditional: true,
  async run(ctx, application) {
    await ctx.em.nativeDelete(OauthApplication, { id: application.id });
    ctx.record({ type: 'oauth_application.deleted', application });
    ctx.afterCommit(() => ctx.services.forgetCallers());
  },
});

/** Give an application another secret: the one before is refused at once, what was issued stays. */
export const renewOauthApplicationSecret = operation({
  name: 'renewOauthApplicationSecret',
  summary: 'Renew the secret of an application',
  subject: oauthApplication,
  gate: 'administrator',
  kind: 'write',
  async run(ctx, application): Promise<ApplicationWithSecret> {
    const secret = generateToken(SECRET_PREFIX);
    const changed = { secret_digest: ctx.services.keys.digest(secret), updated_at: ctx.clock.now() };
    await ctx.em.nativeUpdate(OauthApplication, { id: application.id }, changed);
    ctx.record({ type: 'oauth_application.secret_renewed', application });
    return { ...application, secret };
  },
});
