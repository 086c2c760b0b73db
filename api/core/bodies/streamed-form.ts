import { PassThrough } from 'node:stream';
import { BadParams } from '../../../shared/core/errors.js';
import type { IncomingBody, IncomingFile } from '../../../shared/core/invoke-upload.js';
import { FormFields } from './form-fields.js';
import { FormParts } from './form-parts.js';
import type { PartReader } from './form-parts.js';
import type { PartHead } from './part-headers.js';
import { requireBoundary } from './multipart.js';
import { receive } from './receive.js';
import type { Body } from './receive.js';
import { ConnectionLost } from '../http-errors.js';
import type { RequestParameters } from '../nested-params.js';

/** Boundaries and heads, beyond fields and file. */
const OVERHEAD_BYTES = 1024 * 1024;
/** Bytes of the file that wait for whoever reads it. */
const BUFFER_BYTES = 64 * 1024;

interface Begun {
  parameters: RequestParameters;
  file: IncomingFile | null;
}

/** Hands the one file of a form on as it arrives, and keeps the fields. */
class StreamReader implements PartReader {
  readonly #fields: FormFields;
  readonly #content = new PassThrough({ highWaterMark: BUFFER_BYTES });
  #file: PartHead | null = null;
  #inFile = false;
  #wasTaken = false;

  /** @param onFile called when the file begins */
  constructor(
    body: Body,
    private readonly fileName: string,
    private readonly onFile: (begun: Begun) => void,
  ) {
    this.#fields = new FormFields(body.limit, (bytes) => body.claim.take(bytes));
    // Told to whoever reads it; before that by `begin`.
    this.#content.on('error', () => undefined);
    body.claim.take(2 * BUFFER_BYTES);
  }

  head(bytes: Buffer): void {
    const head = this.#fields.begin(bytes);
    if (!head || head.filename === '') return;
    if (head.name !== this.fileName || this.#file) throw new BadParams([`${head.name} is invalid`]);
    this.#file = head;
    this.#inFile = true;
    this.onFile({ parameters: this.parameters(), file: this.#incoming(head) });
  }

  data(bytes: Buffer): void {
    if (!this.#inFile) return this.#fields.data(bytes);
    // Whoever read it wants no more.
    if (this.#content.destroyed) throw this.#content.errored ?? new ConnectionLost();
    this.#content.write(bytes);
    return undefined;
  }

  end(): void {
    if (this.#inFile) this.#content.end();
    else this.#fields.end();
    this.#inFile = false;
  }

  /** Waits while the file's reader is behind. */
  ready(): Promise<void> | undefined {
    const content = this.#content;
    if (!content.writableNeedDrain || content.destroyed) return undefined;
    return new Promise((resolve) => {
      const go = () => {
        content.off('drain', go).off('close', go);
        resolve();
      };
      content.once('drain', go).once('close', go);
    });
  }

  /** The fields that came since they were last asked for. */
  parameters(): RequestParameters {
    return this.#fields.take();
  }

  /** Nothing more comes. */
  fail(error: Error): void {
    this.#content.destroy(error);
  }

  /** Nobody reads any more. */
  stop(): void {
    this.#content.destroy();
  }

  #incoming({ filename, mediaType }: PartHead): IncomingFile {
    return {
      filename: filename ?? '',
      mediaType: mediaType || 'application/octet-stream',
      open: () => {
        if (this.#wasTaken) throw new Error('A file is read once.');
        this.#wasTaken = true;
        return this.#content;
      },
    };
  }
}

/**
 * A multipart body with one file, read as it arrives: fields may stand before and behind the file.
 * @param fileName the parameter that may be a file; a file for another, or a second one, is refused
 */
export class StreamedForm implements IncomingBody {
  readonly declaredBytes: number | null;
  readonly aroundBytes: number;
  #reader: StreamReader | undefined;
  #received: Promise<void> = Promise.resolve();

  /** @throws BadParams where the type names no boundary */
  constructor(
    private readonly body: Body,
    private readonly fileName: string,
  ) {
    requireBoundary(body);
    const length = body.koa.get('content-length');
    this.declaredBytes = length === '' ? null : Number(length);
    this.aroundBytes = body.limit + OVERHEAD_BYTES;
  }

  async begin(): Promise<Begun> {
    const { promise, resolve } = Promise.withResolvers<Begun>();
    const reader = (this.#reader = new StreamReader(this.body, this.fileName, resolve));
    this.#received = this.#receive(reader);
    // It may fail while nobody waits for it; then `rest` tells, or the file's stream.
    this.#received.catch(() => undefined);
    const begun = await Promise.race([promise, this.#received.then(() => null)]);
    return begun ?? { parameters: reader.parameters(), file: null };
  }

  async rest(): Promise<RequestParameters> {
    await this.#received;
    return this.#reader?.parameters() ?? {};
  }

  stop(): void {
    this.#reader?.stop();
  }

  async #receive(reader: StreamReader): Promise<void> {
    const parts = new FormParts(this.body.koa, reader);
    try {
      await receive(this.body, Number.MAX_SAFE_INTEGER, (piece) => parts.write(piece) ?? reader.ready());
      await parts.finish();
    } catch (error) {
      reader.fail(error as Error);
      throw error;
    } finally {
      parts.stop();
    }
  }
}
