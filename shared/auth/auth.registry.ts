import type { Domain } from '../core/domain.js';
import { authAuditOf } from './auth.audit.js';
import { authSubscribers } from './auth.subscribers.js';
import { DeployToken } from './deploy-tokens/deploy-token.entity.js';
import { basicDeployTokens } from './deploy-tokens/find-deploy-token.js';
import { OauthApplication } from './oauth/oauth-application.entity.js';
import { oauthTokens } from './oauth/oauth-token-source.js';
import { OauthAccessToken, OauthGrant, OauthRecord } from './oauth/oauth-grant.entity.js';
import { accessTokens } from './personal-access-tokens/access-token-source.js';
import { PersonalAccessToken } from './personal-access-tokens/personal-access-token.entity.js';
import { removeIdleBots } from './resource-access-tokens/resource-access-token.jobs.js';
import { UserSession } from './user-sessions/user-session.entity.js';
import { cleanUpSessions } from './user-sessions/user-session.jobs.js';

export const authDomain: Domain = {
  name: 'auth',
  entities: [
    DeployToken,
    OauthAccessToken,
    OauthApplication,
    OauthGrant,
    OauthRecord,
    PersonalAccessToken,
    UserSession,
  ],
  jobKinds: [removeIdleBots, cleanUpSessions],
  subscribers: authSubscribers,
  auditOf: authAuditOf,
  tokenSources: [accessTokens, oauthTokens],
  basicReaders: [basicDeployTokens],
};
