export { NewToken } from './NewToken.js';
export { TokenPage } from './TokenPage.js';
export type { TokenSecret } from './token-source.js';
export { scopesQuery } from './queries.js';
export { PER_PAGE } from './token-source.js';
export type { ListedToken, TokenAttributes, TokenSource } from './token-source.js';
