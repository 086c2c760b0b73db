/* What the API serves of this domain, by area: a line for each file of routes. */
export {
  deployTokenRoutes as deployTokens,
  impersonationTokenRoutes as impersonationTokens,
  oauthRoutes as oauth,
  personalAccessTokenRoutes as personalAccessTokens,
  resourceAccessTokenRoutes as resourceAccessTokens,
} from './auth.rest.js';
