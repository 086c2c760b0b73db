import { PassThrough, Readable } from 'node:stream';
import type { Context as KoaContext } from 'koa';
import { BadParams } from '../../../shared/core/values/errors.js';
import type { IncomingBody } from '../../../shared/core/operations/invoke-upload.js';
import type { UploadRule } from '../../../shared/core/operations/operation.js';
import { Form, OVERHEAD_BYTES } from './form.js';
import { hasBody } from './guard.js';
import type { Body } from './guard.js';
import { BUFFER_BYTES, openPlainBody } from './plain-body.js';
import { bodyMediaType, readParameters, rejectContentEncoding } from './read-body.js';

/** A body that is the file itself. Without a declared length and without a body, there is no file. */
function readRaw(koa: KoaContext, declaredBytes: number | null, openBody: () => Body): Partial<IncomingBody> {
  let content: Readable | undefined;
  const open = (limit: number) =>
    (content = hasBody(koa) ? openPlainBody(openBody(), limit).content : Readable.from([]));
  const file = { filename: '', mediaType: bodyMediaType(koa) || 'application/octet-stream', open };
  return {
    begin: () => Promise.resolve({ parameters: {}, file: hasBody(koa) || declaredBytes !== null ? file : null }),
    stop: () => void content?.destroy(),
  };
}

/**
 * A multipart body with one file, read as it arrives: fields may precede and follow the file.
 * @param name the parameter that may be a file; files for other parameters and a second file are refused
 */
function readForm(body: Body, name: string): Partial<IncomingBody> {
  // Ignored here: the reader of the stream receives the error or, before the stream is read, `begin` does.
  const content = new PassThrough({ highWaterMark: BUFFER_BYTES }).on('error', () => undefined);
  const fileArrived = Promise.withResolvers<Awaited<ReturnType<IncomingBody['begin']>>>();
  let hasFile = false;
  const form = new Form(body, { limit: Infinity, fileBytes: Infinity }, ({ filename, ...head }) => {
    if (head.name !== name || hasFile) throw new BadParams([`${head.name} is invalid`]);
    hasFile = true;
    fileArrived.resolve({ parameters, file: { ...head, filename: filename ?? '', open: () => content } });
    return content;
  });
  const { parameters } = form.fields;
  let received: Promise<void> | undefined;
  return {
    overheadBytes: body.limit + OVERHEAD_BYTES,
    begin() {
      body.claim.take(2 * BUFFER_BYTES);
      received = form.read();
      // It may fail before it is awaited; the error is then reported by `rest` or the file's stream.
      received.catch((error: Error) => content.destroy(error));
      return Promise.race([fileArrived.promise, received.then(() => ({ parameters, file: null }))]);
    },
    rest: async () => (await received, parameters),
    stop: () => void content.destroy(),
  };
}

/**
 * The body of a request for an operation that takes a file: none of it is read before `begin`.
 * @param open opens the body (`guard.ts`)
 * @throws UnsupportedType if the body has a content coding
 */
export function uploadBody(koa: KoaContext, { raw, param }: UploadRule<never>, open: () => Body): IncomingBody {
  rejectContentEncoding(koa);
  const length = koa.get('content-length');
  const body: IncomingBody = {
    declaredBytes: length === '' ? null : Number(length),
    overheadBytes: 0,
    // Such a body cannot contain a file.
    begin: async () => ({ parameters: hasBody(koa) ? await readParameters(open()) : {}, file: null }),
    rest: () => Promise.resolve({}),
    stop: () => undefined,
  };
  if (bodyMediaType(koa) === 'multipart/form-data' && hasBody(koa)) return { ...body, ...readForm(open(), param) };
  return raw ? { ...body, ...readRaw(koa, body.declaredBytes, open) } : body;
}
