import type { Middleware } from 'koa';
import { sendErrorBody } from '../respond.js';

/** Characters of a URL (contract decision 20). */
export const MAX_URL = 16 * 1024;
/** GraphQL queries may be part of the URL, also that of the explorer page. */
export const MAX_GRAPHQL_URL = 64 * 1024;

const GRAPHQL = /^\/(?:api\/graphql|-\/graphql-explorer)\/?(?:\?|$)/;

/** The most characters that a URL may have, by what it leads to. */
const longestUrl = (url: string): number => (GRAPHQL.test(url) ? MAX_GRAPHQL_URL : MAX_URL);

/** Answers 414 if the URL is longer than any route reads. Precedes every middleware that reads the URL. */
export const limitUrlLength: Middleware = (koa, next) => {
  if (koa.originalUrl.length <= longestUrl(koa.originalUrl)) return next();
  return sendErrorBody(koa, 414, { error: '414 Request-URI Too Large' });
};
