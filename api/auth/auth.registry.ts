import type { ApiDomain } from '../core/domain.js';
import deployTokens from './deploy-tokens/deploy-tokens.rest.js';
import impersonationTokens from './impersonation-tokens/impersonation-tokens.rest.js';
import oauth from './oauth/oauth.rest.js';
import personalAccessTokens from './personal-access-tokens/personal-access-tokens.rest.js';
import resourceAccessTokens from './resource-access-tokens/resource-access-tokens.rest.js';

export const authApi: ApiDomain = {
  areas: {
    deployTokens,
    impersonationTokens,
    oauth,
    personalAccessTokens,
    resourceAccessTokens,
  },
};
