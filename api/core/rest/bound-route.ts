import type { z } from 'zod';
import type { Context as KoaContext } from 'koa';
import type { Operation } from '../../../shared/core/operations/operation.js';
import { keysetFields, pageFields } from '../paging.js';
import type { RestRoute } from '../routes.js';
import { readMultipart } from '../bodies/form-files.js';
import type { ReadBody } from '../bodies/form-files.js';
import type { Body } from '../bodies/guard.js';
import { bodyMediaType, readParameters, rejectContentEncoding } from '../bodies/read-body.js';
import { createParameterMap, parseQuery } from '../nested-params.js';
import type { RequestParameters } from '../nested-params.js';
import type { ApiServices } from '../services.js';

/** A route with what can be known of it before any request. */
export interface BoundRoute extends RestRoute {
  /** Parameters that may be uploaded files. */
  fileNames: readonly string[];
}

/** Declared with `upload()`. */
function getFileNames(operation: RestRoute['operation']): string[] {
  return Object.entries(operation.params.shape)
    .filter(([, field]) => (field as z.ZodType).meta()?.format === 'binary')
    .map(([name]) => name);
}

/** A paged route checks `page` and the like together with the operation's own parameters. */
function withPaging({ operation, options }: RestRoute): Operation {
  if (options.paginate !== 'offset' && options.paginate !== 'keyset') return operation;
  const fields = options.paginate === 'keyset' ? { ...pageFields, ...keysetFields } : pageFields;
  return { ...operation, params: operation.params.extend(fields) as Operation['params'] };
}

/** Prepares a route for serving. */
export function bindRoute(route: RestRoute): BoundRoute {
  return { ...route, operation: withPaging(route), fileNames: getFileNames(route.operation) };
}

/** Parameters that a route also takes from headers, as far as they were sent. */
function readHeaders(koa: KoaContext, { options }: BoundRoute): [string, string][] {
  const sent = Object.entries(options.headerParams ?? {}).map(
    ([name, header]) => [name, koa.get(header).trim()] as const,
  );
  return sent.filter(([, value]) => value !== '').map(([name, value]) => [name, value]);
}

/** The parameters in the URL: query, then path, the later winning. */
export function readUrl(koa: KoaContext, path: Record<string, string>): RequestParameters {
  const query = koa.querystring;
  return Object.assign(query === '' ? createParameterMap() : parseQuery(query), path);
}

/** The parameters before the body: of headers, then of the URL. */
export function readHead(koa: KoaContext, path: Record<string, string>, route: BoundRoute): RequestParameters {
  const parameters = readUrl(koa, path);
  for (const [name, value] of readHeaders(koa, route)) parameters[name] ??= value;
  return parameters;
}

/** Parameters of a body, for every method (rest-conventions.md section 1). */
export async function readBody(body: Body, services: ApiServices, route: BoundRoute): Promise<ReadBody> {
  rejectContentEncoding(body.koa);
  if (bodyMediaType(body.koa) === 'multipart/form-data')
    return readMultipart(body, services, route.fileNames, route.options.uploadLimit?.(services) ?? 0);
  return { parameters: await readParameters(body) };
}
