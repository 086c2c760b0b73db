import { Readable } from 'node:stream';
import type { Context as KoaContext } from 'koa';
import type { IncomingBody, IncomingFile } from '../../../shared/core/invoke-upload.js';
import type { UploadRule } from '../../../shared/core/operation.js';
import { UnsupportedType } from '../http-errors.js';
import type { RequestParameters } from '../nested-params.js';
import { openPlainBody } from './plain-body.js';
import { bodyMediaType, readForm, readJson, readUntyped } from './read-body.js';
import { hasBody } from './receive.js';
import type { Body } from './receive.js';
import { StreamedForm } from './streamed-form.js';

const FORM = 'multipart/form-data';

/** What the client says of its body's length; null where it says nothing. */
function declaredBytes(koa: KoaContext): number | null {
  const length = koa.get('content-length');
  return length === '' ? null : Number(length);
}

/** A body that is the file itself. Without a length and without a body there is no file. */
function rawBody(body: () => Body, koa: KoaContext): IncomingBody {
  const length = declaredBytes(koa);
  let content: Readable | undefined;
  const file: IncomingFile = {
    filename: '',
    mediaType: bodyMediaType(koa) || 'application/octet-stream',
    open: (limit) => (content = hasBody(koa) ? openPlainBody(body(), limit).content : Readable.from([])),
  };
  return {
    declaredBytes: length,
    aroundBytes: 0,
    begin: () => Promise.resolve({ parameters: {}, file: hasBody(koa) || length !== null ? file : null }),
    rest: () => Promise.resolve({}),
    stop: () => void content?.destroy(),
  };
}

/** A body in which no file can be: its parameters alone. */
function plainParameters(body: () => Body, koa: KoaContext, type: string): IncomingBody {
  const read = (): Promise<RequestParameters> => {
    if (!hasBody(koa)) return Promise.resolve({});
    if (type === 'application/json') return readJson(body());
    if (type === '') return readUntyped(body());
    if (type === 'application/x-www-form-urlencoded') return readForm(body());
    throw new UnsupportedType(type);
  };
  return {
    declaredBytes: declaredBytes(koa),
    aroundBytes: 0,
    begin: async () => ({ parameters: await read(), file: null }),
    rest: () => Promise.resolve({}),
    stop: () => undefined,
  };
}

/**
 * The body of a request for an operation that takes a file: none of it is read before `begin`.
 * @param open opens the body (`receive.ts`)
 * @throws UnsupportedType for a coding, BadParams for a form without a boundary
 */
export function uploadBody(koa: KoaContext, { raw, param }: UploadRule<never>, open: () => Body): IncomingBody {
  const type = bodyMediaType(koa);
  const coding = koa.get('content-encoding').trim().toLowerCase();
  if (coding !== '' && coding !== 'identity') throw new UnsupportedType(`${type}; content-encoding=${coding}`);
  if (type === FORM && hasBody(koa)) return new StreamedForm(open(), param);
  return raw ? rawBody(open, koa) : plainParameters(open, koa, type);
}
