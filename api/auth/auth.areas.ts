/* What the API serves of this domain, by area: a line for each file of routes that is an area by itself. */
export { default as deployTokens } from './deploy-tokens/deploy-tokens.rest.js';
export { default as impersonationTokens } from './impersonation-tokens/impersonation-tokens.rest.js';
export { default as oauth } from './oauth/oauth.rest.js';
export { default as personalAccessTokens } from './personal-access-tokens/personal-access-tokens.rest.js';
export { default as resourceAccessTokens } from './resource-access-tokens/resource-access-tokens.rest.js';
