import type { z } from 'zod';
import { TooLarge } from '../values/errors.js';
import { StoredFile, storing } from '../stored-files/storing.js';
import { admittedResource } from './invoke.js';
import type { Admission, Invoked } from './invoke.js';
import type { Operation, UploadRule } from './operation.js';
import { parseParams } from './params.js';
import { countAction } from './limit-actions.js';
import { recordDenial } from './denials.js';

type Parameters = Record<string, unknown>;

/** A file that has begun to arrive. */
interface IncomingFile {
  filename: string;
  mediaType: string;
  /**
   * Reads it, once. Fails where its sender is gone, too slow, or sends more than `limit` bytes.
   * @param limit bytes at most
   */
  open(limit: number): AsyncIterable<Uint8Array>;
}

/** The unread body of a request for an operation that accepts a file. */
export interface IncomingBody {
  /** Bytes that the client declared, including everything around the file; null if it declared none. */
  readonly declaredBytes: number | null;
  /** Maximum number of bytes around the file. */
  readonly overheadBytes: number;
  /** Reads up to the file: parameters before it, and the file, or null where the whole body has none. */
  begin(): Promise<{ parameters: Parameters; file: IncomingFile | null }>;
  /** The parameters after the file, which must have been read by then. */
  rest(): Promise<Parameters>;
  /** Stops reading it. */
  stop(): void;
}

/**
 * Runs an operation that accepts a file as a stream, for an admitted caller. Rate limit, resource, plan and ability are
 * checked before any of the body is read; resource and ability are checked again afterward, in the transaction of the
 * work. While bytes arrive, no database connection or lock is held.
 * @param url parameters of query and path; those of the path take precedence over the body's
 * @param names names of the parameters in the path
 * @param open opens the body
 * @throws TooLarge, errors from reading the body, and the errors of `invoke`
 */
export async function invokeUpload(
  { ctx, operation }: Admission,
  url: Parameters,
  names: readonly string[],
  open: () => IncomingBody,
): Promise<Invoked<unknown>> {
  const rule = operation.upload as UploadRule<unknown>;
  if (operation.limit) await countAction(ctx, operation.limit);
  const getResource = () =>
    admittedResource(ctx, operation as never, () =>
      operation.resource.find(ctx as never, parseParams(operation.resourceParams, url)),
    );
  const work = (raw: Parameters) =>
    ctx.transaction(async () => {
      const resource = await getResource();
      const input = parseParams(operation.params, raw, operation.rules);
      try {
        return { result: await operation.run(ctx as never, resource, input as never), input };
      } catch (error) {
        throw recordDenial(ctx, operation, 'operation', error, resource);
      }
    });
  const resource = await getResource();
  if (rule.raw) requireOthers(operation, rule, url);
  const body = open();
  try {
    const { parameters, file } = await body.begin();
    const inPath = Object.fromEntries(names.map((name) => [name, url[name]]));
    const values = Object.assign(url, parameters, inPath);
    if (!file) return await work(values);
    const limit = await rule.limit(ctx, resource, values);
    if (body.declaredBytes !== null && body.declaredBytes > limit + body.overheadBytes) throw new TooLarge();
    return await storing(ctx, rule.kind, file.open(limit), { limit }, async (object) => {
      Object.assign(values, await body.rest(), inPath);
      values[rule.param] = new StoredFile(object, file.filename, file.mediaType);
      return work(values);
    });
  } finally {
    body.stop();
  }
}

/**
 * A raw body is the file itself and has no other parameters, so the others are validated before it is read.
 * @throws BadParams
 */
function requireOthers(operation: Operation, { param }: UploadRule<unknown>, url: Parameters): void {
  const others = operation.params.omit({ [param]: true }) as z.ZodObject;
  parseParams(others, url, operation.rules);
}
