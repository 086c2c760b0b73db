import type { Context as KoaContext } from 'koa';
import type { Caller } from '../../../shared/core/callers.js';
import type { BoundRoute } from './bound-route.js';
import { readMultipart } from '../bodies/multipart.js';
import { bodyMediaType, readForm, readJson, readUntyped } from '../bodies/read-body.js';
import type { Body } from '../bodies/receive.js';
import { UnsupportedType } from '../http-errors.js';
import { newBag, parseQuery } from '../nested-params.js';
import type { RequestParameters } from '../nested-params.js';
import type { ApiServices } from '../services.js';

/** What a body says, and what is to be done about its files. */
export interface ReadBody {
  parameters: RequestParameters;
  /** Its files by parameter, on disk from then on. @throws Unauthenticated for files of nobody */
  store?: (caller: Caller) => Promise<RequestParameters>;
  /** Removes them, once the request is answered. */
  cleanUp?: () => Promise<void>;
}

/** The parameters in the URL: query, then path, the later winning. */
export function readUrl(koa: KoaContext, path: Record<string, string>): RequestParameters {
  const query = koa.querystring;
  return Object.assign(query === '' ? newBag() : parseQuery(query), path);
}

/** Parameters of a body, for every method (rest-conventions.md section 1). */
export async function readParameters(body: Body, services: ApiServices, route: BoundRoute): Promise<ReadBody> {
  const { koa } = body;
  const type = bodyMediaType(koa);
  const coding = koa.get('content-encoding').trim().toLowerCase();
  if (coding !== '' && coding !== 'identity') throw new UnsupportedType(`${type}; content-encoding=${coding}`);
  switch (type) {
    case 'application/json':
      return { parameters: await readJson(body) };
    case '':
      return { parameters: await readUntyped(body) };
    case 'application/x-www-form-urlencoded':
      return { parameters: await readForm(body) };
    case 'multipart/form-data':
      return readMultipart(body, services, route.fileNames, route.options.uploadLimit?.(services) ?? 0);
    default:
      throw new UnsupportedType(type);
  }
}
