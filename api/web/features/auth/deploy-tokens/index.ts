export { DeployTokens } from './DeployTokens.js';
export { deployTokensQuery } from './queries.js';
export type { TokenContainer } from './queries.js';
