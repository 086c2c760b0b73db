/* The tables of this domain: a line for each file of entities. */
export { StoredCredentials } from './administration/initial-credentials.entity.js';
export { DeployToken } from './deploy-tokens/deploy-token.entity.js';
export { OauthApplication } from './oauth/oauth-application.entity.js';
export { OauthAccessToken, OauthGrant, OauthRecord } from './oauth/oauth-grant.entity.js';
export { PersonalAccessToken } from './personal-access-tokens/personal-access-token.entity.js';
export { UserSession } from './user-sessions/user-session.entity.js';
