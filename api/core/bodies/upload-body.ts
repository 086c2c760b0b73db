import { PassThrough, Readable } from 'node:stream';
import type { Context as KoaContext } from 'koa';
import { BadParams } from '../../../shared/core/values/errors.js';
import type { IncomingBody, IncomingFile } from '../../../shared/core/operations/invoke-upload.js';
import type { UploadRule } from '../../../shared/core/operations/operation.js';
import type { RequestParameters } from '../nested-params.js';
import { Form } from './form.js';
import { hasBody } from './guard.js';
import type { Body } from './guard.js';
import type { PartHead } from './part-headers.js';
import { openPlainBody } from './plain-body.js';
import { bodyMediaType, readPlainParameters, requireNoCoding } from './read-body.js';

/** Boundaries and heads of a form, beyond fields and file. */
const OVERHEAD_BYTES = 1024 * 1024;
/** Bytes of the file that wait for whoever reads it. */
const BUFFER_BYTES = 64 * 1024;

type Begun = Awaited<ReturnType<IncomingBody['begin']>>;

/** What the client says of its body's length; null where it says nothing. */
function declaredBytes(koa: KoaContext): number | null {
  const length = koa.get('content-length');
  return length === '' ? null : Number(length);
}

const fileOf = ({ filename, mediaType }: Omit<PartHead, 'name'>, open: IncomingFile['open']): IncomingFile => ({
  filename: filename ?? '',
  mediaType: mediaType || 'application/octet-stream',
  open,
});

/** A body that is the file itself. Without a length and without a body there is no file. */
function rawBody(body: () => Body, koa: KoaContext): IncomingBody {
  const length = declaredBytes(koa);
  let content: Readable | undefined;
  const file = fileOf({ filename: '', mediaType: bodyMediaType(koa) }, (limit) => {
    content = hasBody(koa) ? openPlainBody(body(), limit).content : Readable.from([]);
    return content;
  });
  return {
    declaredBytes: length,
    aroundBytes: 0,
    begin: () => Promise.resolve({ parameters: {}, file: hasBody(koa) || length !== null ? file : null }),
    rest: () => Promise.resolve({}),
    stop: () => void content?.destroy(),
  };
}

/** A body in which no file can be: its parameters alone. */
function plainParameters(body: () => Body, koa: KoaContext): IncomingBody {
  const read = (): Promise<RequestParameters> => (hasBody(koa) ? readPlainParameters(body()) : Promise.resolve({}));
  return {
    declaredBytes: declaredBytes(koa),
    aroundBytes: 0,
    begin: async () => ({ parameters: await read(), file: null }),
    rest: () => Promise.resolve({}),
    stop: () => undefined,
  };
}

/**
 * A multipart body with one file, read as it arrives: fields may stand before and behind the file.
 * @param name the parameter that may be a file; a file for another, or a second one, is refused
 */
function streamedForm(body: Body, name: string): IncomingBody {
  const content = new PassThrough({ highWaterMark: BUFFER_BYTES });
  // Told to whoever reads it; before that by `begin`.
  content.on('error', () => undefined);
  const begun = Promise.withResolvers<Begun>();
  let isOpen = false;
  const terms = { limit: Number.MAX_SAFE_INTEGER, fileBytes: Number.MAX_SAFE_INTEGER, filesAreHeld: false };
  const form = new Form(body, terms, (head) => {
    if (head.name !== name || isOpen) throw new BadParams([`${head.name} is invalid`]);
    isOpen = true;
    begun.resolve({ parameters: form.takeFields(), file: fileOf(head, () => content) });
    return content;
  });
  let received: Promise<void> | undefined;
  return {
    declaredBytes: declaredBytes(body.koa),
    aroundBytes: body.limit + OVERHEAD_BYTES,
    async begin() {
      body.claim.take(2 * BUFFER_BYTES);
      received = form.read();
      // It may fail while nobody waits for it; then `rest` tells, or the file's stream.
      received.catch((error: Error) => content.destroy(error));
      const opened = await Promise.race([begun.promise, received.then(() => null)]);
      return opened ?? { parameters: form.takeFields(), file: null };
    },
    async rest() {
      await received;
      return form.takeFields();
    },
    stop: () => void content.destroy(),
  };
}

/**
 * The body of a request for an operation that takes a file: none of it is read before `begin`.
 * @param open opens the body (`guard.ts`)
 * @throws UnsupportedType for a coding, BadParams for a form without a boundary
 */
export function uploadBody(koa: KoaContext, { raw, param }: UploadRule<never>, open: () => Body): IncomingBody {
  requireNoCoding(koa);
  if (bodyMediaType(koa) === 'multipart/form-data' && hasBody(koa)) return streamedForm(open(), param);
  return raw ? rawBody(open, koa) : plainParameters(open, koa);
}
