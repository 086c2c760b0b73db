import { instance, operation } from '../../core/operations/operation.js';
import { TOKEN_SCOPES } from '../personal-access-tokens/create-token.js';
import { oauthApplication, visibleOauthApplications } from './oauth-application.finder.js';
import type { ApplicationWithSecret } from './oauth-application.serializer.js';
import { applicationParams, registerApplication, removeApplication, renewSecret } from './register-application.js';

/** List the applications of the instance: administrators. */
export const listOauthApplications = operation({
  name: 'listOauthApplications',
  summary: 'List all applications',
  resource: instance,
  authentication: 'administrator',
  kind: 'read',
  statements: 3,
  run: () => Promise.resolve(visibleOauthApplications()),
});

/** Register an application. Requires an administrator. Only this response shows its secret. */
export const createOauthApplication = operation({
  name: 'createOauthApplication',
  summary: 'Create an application',
  resource: instance,
  authentication: 'administrator',
  kind: 'write',
  params: applicationParams,
  run: (ctx, _instance, input): Promise<ApplicationWithSecret> => registerApplication(ctx, input, TOKEN_SCOPES, null),
});

/** Delete an application: its tokens are refused from then on. */
export const deleteOauthApplication = operation({
  name: 'deleteOauthApplication',
  summary: 'Delete an application',
  resource: oauthApplication,
  authentication: 'administrator',
  kind: 'write',
  conditional: true,
  run: (ctx, application) => removeApplication(ctx, application, null),
});

/** Give an application another secret: the one before is refused at once, what was issued stays. */
export const renewOauthApplicationSecret = operation({
  name: 'renewOauthApplicationSecret',
  summary: 'Renew the secret of an application',
  resource: oauthApplication,
  authentication: 'administrator',
  kind: 'write',
  run: (ctx, application): Promise<ApplicationWithSecret> => renewSecret(ctx, application, null),
});
