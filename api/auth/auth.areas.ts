/* Routes of this domain by area: one line per route file. */
export {
  deployTokenRoutes as deployTokens,
  impersonationTokenRoutes as impersonationTokens,
  oauthRoutes as oauth,
  personalAccessTokenRoutes as personalAccessTokens,
  resourceAccessTokenRoutes as resourceAccessTokens,
} from './auth.rest.js';
