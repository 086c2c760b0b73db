import type { Context as KoaContext } from 'koa';
import { readMultipart } from '../bodies/form-files.js';
import type { ReadBody } from '../bodies/form-files.js';
import type { Body } from '../bodies/guard.js';
import { bodyMediaType, readParameters, requireNoCoding } from '../bodies/read-body.js';
import { newBag, parseQuery } from '../nested-params.js';
import type { RequestParameters } from '../nested-params.js';
import type { ApiServices } from '../services.js';
import type { BoundRoute } from './bound-route.js';

/** The parameters in the URL: query, then path, the later winning. */
export function readUrl(koa: KoaContext, path: Record<string, string>): RequestParameters {
  const query = koa.querystring;
  return Object.assign(query === '' ? newBag() : parseQuery(query), path);
}

/** Parameters of a body, for every method (rest-conventions.md section 1). */
export async function readBody(body: Body, services: ApiServices, route: BoundRoute): Promise<ReadBody> {
  requireNoCoding(body.koa);
  if (bodyMediaType(body.koa) === 'multipart/form-data')
    return readMultipart(body, services, route.fileNames, route.options.uploadLimit?.(services) ?? 0);
  return { parameters: await readParameters(body) };
}
