import type { Domain } from '../core/domain.js';
import { allReadings } from '../instance/audit-events/audit-log.js';
import { authEntities } from './auth.entities.js';
import * as readings from './auth.audit.js';
import { authSubscribers } from './auth.subscribers.js';
import { basicDeployTokens } from './deploy-tokens/find-deploy-token.js';
import { oauthTokens } from './oauth/oauth-token-source.js';
import { accessTokens } from './personal-access-tokens/access-token-source.js';
import { removeIdleBots, cleanUpSessions } from './auth.jobs.js';

export const authDomain: Domain = {
  name: 'auth',
  entities: authEntities,
  jobKinds: [removeIdleBots, cleanUpSessions],
  subscribers: authSubscribers,
  auditOf: allReadings(readings),
  tokenSources: [accessTokens, oauthTokens],
  basicReaders: [basicDeployTokens],
};
