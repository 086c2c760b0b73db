import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { Caller } from '../../../shared/core/context/callers.js';
import type { Services } from '../../../shared/core/context/context.js';
import { BadParams, Unauthenticated } from '../../../shared/core/values/errors.js';
import { Upload } from '../../../shared/core/values/upload.js';
import type { RequestParameters } from '../nested-params.js';
import { Form } from './form.js';
import type { Body } from './guard.js';
import type { PartHead } from './part-headers.js';

/** Boundaries and the like, beyond what is counted of the parts. */
const OVERHEAD_BYTES = 1024 * 1024;
/** Of several files for one parameter the last counts; each is open while it is written. */
const MAX_FILES = 10;

/** What a body says, and what is to be done about its files. */
export interface ReadBody {
  parameters: RequestParameters;
  /** Its files by parameter, on disk from then on. @throws Unauthenticated for files of nobody */
  store?: (caller: Caller) => Promise<RequestParameters>;
  /** Removes them, once the request is answered. */
  cleanUp?: () => Promise<void>;
}

/** The files of one request, in a folder of its own below the data directory. */
class FormFiles {
  #folder: string | undefined;
  readonly #written: { head: PartHead; file: WriteStream; done: Promise<void> }[] = [];
  /** Of a caller who is not known yet: in memory until they are asked for. */
  readonly #held: { head: PartHead; content: PassThrough }[] = [];

  constructor(
    private readonly services: Services,
    private readonly names: readonly string[],
  ) {}

  async makeFolder(): Promise<void> {
    const incoming = path.join(this.services.config.dataDir, 'incoming');
    await mkdir(incoming, { recursive: true });
    this.#folder = await mkdtemp(path.join(incoming, 'request-'));
  }

  open(head: PartHead, heldBytes: number): WriteStream | PassThrough {
    if (!this.names.includes(head.name)) throw new BadParams([`${head.name} is invalid`]);
    if (this.#written.length + this.#held.length === MAX_FILES)
      throw new BadParams([`the request has more than ${MAX_FILES} files`]);
    if (this.#folder !== undefined) return this.#write(head);
    const content = new PassThrough({ highWaterMark: heldBytes });
    this.#held.push({ head, content });
    return content;
  }

  async store(caller: Caller): Promise<RequestParameters> {
    if (this.#held.length > 0) {
      if (caller.kind === 'anonymous') throw new Unauthenticated();
      await this.makeFolder();
      for (const { head, content } of this.#held) await pipeline(content, this.#write(head));
    }
    await Promise.all(this.#written.map(({ done }) => done));
    const uploads = this.#written.map(({ head: { name, filename, mediaType }, file }) => [
      name,
      new Upload(file.path as string, filename ?? '', mediaType || 'application/octet-stream', file.bytesWritten),
    ]);
    return Object.fromEntries(uploads) as RequestParameters;
  }

  async remove(): Promise<void> {
    for (const { file } of this.#written) file.destroy();
    await Promise.allSettled(this.#written.map(({ done }) => done));
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  #write(head: PartHead): WriteStream {
    const file = createWriteStream(path.join(this.#folder as string, String(this.#written.length)));
    const done = finished(file);
    // Told by store(), which may never be called.
    done.catch(() => undefined);
    this.#written.push({ head, file, done });
    return file;
  }
}

/**
 * A multipart body: fields nested like those of a form, and files for the parameters that the operation declares as
 * such; a file for anything else is refused. Nothing is written for a caller whom headers and query do not name.
 * @param fileNames the parameters that may be files
 * @param fileBytes how large files may be together; 0 is unlimited
 * @throws BadParams, TooLarge, BodyTooSlow, ConnectionLost, Overloaded
 */
export async function readMultipart(
  body: Body,
  services: Services,
  fileNames: readonly string[],
  fileBytes: number,
): Promise<ReadBody> {
  const files = new FormFiles(services, fileNames);
  const known = body.caller.kind !== 'anonymous';
  const onDisk = known && fileNames.length > 0;
  const most = fileBytes || Number.MAX_SAFE_INTEGER;
  const limit = known ? body.limit + OVERHEAD_BYTES + (onDisk ? most : 0) : body.limit;
  const terms = { limit, fileBytes: most, filesAreHeld: !onDisk };
  const form = new Form(body, terms, (head) => files.open(head, body.limit));
  try {
    if (onDisk) await files.makeFolder();
    await form.read();
  } catch (error) {
    await files.remove();
    throw error;
  }
  return {
    parameters: form.takeFields(),
    store: (caller) => files.store(caller),
    cleanUp: () => files.remove(),
  };
}
