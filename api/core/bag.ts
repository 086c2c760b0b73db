import type { Context as KoaContext } from 'koa';
import type { Services } from '../../shared/core/context.js';
import { UnsupportedType } from './http-errors.js';
import { readMultipart } from './multipart.js';
import { newBag, parseQuery } from './nested-params.js';
import type { Bag } from './nested-params.js';
import { readForm, readJson } from './read-body.js';
import type { BoundRoute } from './bound-route.js';

export type { Bag };

function hasBody(koa: KoaContext): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = koa.req.headers;
  return length === undefined ? encoding !== undefined : length !== '0';
}

/** The parameters of a request, and what to do once it is answered. */
export interface ReadBag {
  bag: Bag;
  /** Removes uploaded files. */
  cleanUp?: (() => Promise<void>) | null;
}

async function readBody(koa: KoaContext, services: Services, route: BoundRoute): Promise<ReadBag> {
  const type = (koa.get('content-type').split(';')[0] ?? '').trim().toLowerCase();
  const coding = koa.get('content-encoding').trim().toLowerCase();
  if (coding !== '' && coding !== 'identity') throw new UnsupportedType(`${type}; content-encoding=${coding}`);
  switch (type) {
    case 'application/json':
      return { bag: await readJson(koa) };
    case '':
    case 'application/x-www-form-urlencoded':
      return { bag: await readForm(koa) };
    case 'multipart/form-data':
      return readMultipart(koa, services, route.fileNames, route.options.uploadLimit?.(services) ?? 0);
    default:
      throw new UnsupportedType(type);
  }
}

/**
 * Parameters of a request as one bag, for every method: query, then body, then path, the later winning
 * (rest-conventions.md section 1).
 */
export async function readBag(
  koa: KoaContext,
  services: Services,
  route: BoundRoute,
  path: Record<string, string>,
): Promise<ReadBag> {
  const query = koa.querystring;
  const bag = query === '' ? newBag() : parseQuery(query);
  const read: ReadBag = { bag };
  if (hasBody(koa)) {
    const body = await readBody(koa, services, route);
    Object.assign(bag, body.bag);
    read.cleanUp = body.cleanUp;
  }
  Object.assign(bag, path);
  return read;
}
