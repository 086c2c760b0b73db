import type { Middleware } from 'koa';
import { sendErrorBody } from '../respond.js';

/** Characters of a URL (contract decision 20). */
export const MAX_URL = 16 * 1024;
/** Queries of GraphQL may stand in the URL, and in that of the page that explores it. */
export const MAX_GRAPHQL_URL = 64 * 1024;

const GRAPHQL = /^\/(?:api\/graphql|-\/graphql-explorer)\/?(?:\?|$)/;

/** The most characters that a URL may have, by what it leads to. */
const longestUrl = (url: string): number => (GRAPHQL.test(url) ? MAX_GRAPHQL_URL : MAX_URL);

/** Answers 414 to whatever has a longer URL than anything reads. Stands before everything that looks at one. */
export const limitUrlLength: Middleware = (koa, next) => {
  if (koa.originalUrl.length <= longestUrl(koa.originalUrl)) return next();
  return sendErrorBody(koa, 414, { error: '414 Request-URI Too Large' });
};
