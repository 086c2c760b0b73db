import type { Caller } from '../../../shared/core/callers.js';
import type { Services } from '../../../shared/core/context.js';
import { BadParams, TooLarge, Unauthenticated } from '../../../shared/core/errors.js';
import type { RequestParameters } from '../nested-params.js';
import { FormFields } from './form-fields.js';
import { FormParts } from './form-parts.js';
import type { PartReader } from './form-parts.js';
import { filesInMemory, filesOnDisk } from './part-files.js';
import type { PartFile, PartFiles } from './part-files.js';
import type { PartHead } from './part-headers.js';
import { mismatch } from './read-body.js';
import { receive } from './receive.js';
import type { Body } from './receive.js';

/** Boundaries and the like, beyond what is counted of the parts. */
const OVERHEAD_BYTES = 1024 * 1024;

/** Of several files for one parameter the last counts; each is open while it is written. */
const MAX_FILES = 10;

/** What a form may hold, and where its files go. */
interface FormTerms {
  /** The parameters that may be files. */
  fileNames: readonly string[];
  fileBytes: number;
  /** Bytes of fields and heads. */
  fieldBytes: number;
  files: PartFiles;
  /** Counts what is kept in memory. */
  hold: (bytes: number) => void;
  filesAreHeld: boolean;
}

/** Collects a form's parts; the first thing that is wrong ends it. */
class FormReader implements PartReader {
  readonly #fields: FormFields;
  #fileBytes = 0;
  #files = 0;
  #file: PartFile | null = null;
  /** What is between a file's head and its end, also of one in which nothing was chosen. */
  #inFile = false;

  constructor(private readonly terms: FormTerms) {
    this.#fields = new FormFields(terms.fieldBytes, terms.hold);
  }

  head(bytes: Buffer): void {
    const head = this.#fields.begin(bytes);
    this.#inFile = head !== null;
    // A browser's file field in which nothing was chosen is no part.
    if (head && head.filename !== '') this.#file = this.#open(head);
  }

  data(bytes: Buffer): void {
    if (!this.#inFile) return this.#fields.data(bytes);
    if (!this.#file) return undefined;
    this.#fileBytes += bytes.length;
    if (this.#fileBytes > this.terms.fileBytes) throw new TooLarge();
    if (this.terms.filesAreHeld) this.terms.hold(bytes.length);
    this.#file.write(bytes);
    return undefined;
  }

  end(): void {
    this.#file?.end();
    this.#fields.end();
    this.#file = null;
    this.#inFile = false;
  }

  parameters(): RequestParameters {
    return this.#fields.take();
  }

  async store(caller: Caller): Promise<RequestParameters> {
    if (this.#files > 0 && caller.kind === 'anonymous') throw new Unauthenticated();
    return Object.fromEntries(await this.terms.files.store());
  }

  #open(head: PartHead): PartFile {
    if (!this.terms.fileNames.includes(head.name)) throw new BadParams([`${head.name} is invalid`]);
    this.#files += 1;
    if (this.#files > MAX_FILES) throw new BadParams([`the request has more than ${MAX_FILES} files`]);
    return this.terms.files.open(head);
  }
}

export interface MultipartBody {
  parameters: RequestParameters;
  /** The files by parameter, on disk from then on. @throws Unauthenticated for files of nobody */
  store(caller: Caller): Promise<RequestParameters>;
  /** Removes the files. */
  cleanUp(): Promise<void>;
}

/** @throws BadParams where the type does not say what stands between the parts (RFC 2046 section 5.1.1) */
export function requireBoundary({ koa }: Body): void {
  if (!/;\s*boundary=(?:"[^"]{1,70}"|[^\s;"]{1,70})/i.test(koa.get('content-type'))) throw mismatch();
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
): Promise<MultipartBody> {
  requireBoundary(body);
  const anonymous = body.caller.kind === 'anonymous';
  const onDisk = !anonymous && fileNames.length > 0;
  const most = fileBytes || Number.MAX_SAFE_INTEGER;
  const total = anonymous ? body.limit : body.limit + OVERHEAD_BYTES + (onDisk ? most : 0);
  if (Number(body.koa.get('content-length')) > total) throw new TooLarge();
  const files = onDisk ? await filesOnDisk(services) : filesInMemory(services);
  try {
    const form = new FormReader({
      fileNames,
      fileBytes: most,
      fieldBytes: body.limit,
      files,
      hold: (bytes) => body.claim.take(bytes),
      filesAreHeld: !onDisk,
    });
    const parts = new FormParts(body.koa, form);
    try {
      await receive(body, total, (piece) => parts.write(piece) ?? files.ready());
      await parts.finish();
    } finally {
      parts.stop();
    }
    return { parameters: form.parameters(), store: (caller) => form.store(caller), cleanUp: () => files.remove() };
  } catch (error) {
    await files.remove();
    throw error;
  }
}
