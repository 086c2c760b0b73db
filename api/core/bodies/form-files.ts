import { createWriteStream, WriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import type { Caller } from '../../../shared/core/context/callers.js';
import type { Services } from '../../../shared/core/context/context.js';
import { BadParams, Unauthenticated } from '../../../shared/core/values/errors.js';
import { Upload } from '../../../shared/core/values/upload.js';
import { createParameterMap } from '../nested-params.js';
import type { RequestParameters } from '../nested-params.js';
import { Form, OVERHEAD_BYTES } from './form.js';
import type { PartHead } from './form.js';
import type { Body } from './guard.js';

/** Of several files for one parameter the last counts; each is open while it is written. */
const MAX_FILES = 10;

/** The parameters of a body, and the functions that store and remove its files. */
export interface ReadBody {
  parameters: RequestParameters;
  /** Writes its files to disk, by parameter. @throws Unauthenticated for files of anonymous callers */
  store?: (caller: Caller) => Promise<RequestParameters>;
  /** Removes them, once the request is answered. */
  cleanUp?: () => Promise<void>;
}

/** A folder of a request's own below the data directory. */
async function makeFolder({ config }: Services): Promise<string> {
  const incoming = path.join(config.dataDir, 'incoming');
  await mkdir(incoming, { recursive: true });
  return mkdtemp(path.join(incoming, 'request-'));
}

/**
 * A multipart body: fields nested like those of a form, and files for the parameters that the operation declares as
 * files; other files are refused. Nothing is written to disk until headers or query have identified the caller.
 * @param fileNames the parameters that may be files
 * @param fileBytes maximum total size of the files; 0 is unlimited
 * @throws BadParams, TooLarge, BodyTooSlow, ConnectionLost, Overloaded
 */
export async function readMultipart(
  body: Body,
  services: Services,
  fileNames: readonly string[],
  fileBytes: number,
): Promise<ReadBody> {
  const onDisk = body.caller.kind !== 'anonymous' && fileNames.length > 0;
  const most = fileBytes || Number.MAX_SAFE_INTEGER;
  const limit = body.limit + (onDisk ? OVERHEAD_BYTES + most : 0);
  let folder = onDisk ? await makeFolder(services) : '';
  const files: { head: PartHead; content: WriteStream | Buffer }[] = [];
  const form = new Form(body, { limit, fileBytes: most }, (head) => {
    if (!fileNames.includes(head.name)) throw new BadParams([`${head.name} is invalid`]);
    if (files.length === MAX_FILES) throw new BadParams([`the request has more than ${MAX_FILES} files`]);
    // In memory until the caller is known.
    if (!onDisk) return (content) => void files.push({ head, content });
    const content = createWriteStream(path.join(folder, `${files.length}`));
    files.push({ head, content });
    // store() reports the error, but may never be called.
    return content.on('error', () => undefined);
  });
  const store = async (caller: Caller) => {
    const uploads = createParameterMap();
    if (files.length === 0) return uploads;
    if (caller.kind === 'anonymous') throw new Unauthenticated();
    folder ||= await makeFolder(services);
    for (const [index, { head, content }] of files.entries()) {
      const file = path.join(folder, `${index}`);
      await (content instanceof WriteStream ? finished(content) : writeFile(file, content));
      uploads[head.name] = new Upload(file, head.filename ?? '', head.mediaType, (await stat(file)).size);
    }
    return uploads;
  };
  const cleanUp = async () => {
    const streams = files.map(({ content }) => content).filter((content) => content instanceof WriteStream);
    await Promise.allSettled(streams.map((stream) => finished(stream.destroy())));
    if (folder !== '') await rm(folder, { recursive: true, force: true });
  };
  try {
    await form.read();
  } catch (error) {
    await cleanUp();
    throw error;
  }
  return { parameters: form.fields.parameters, store, cleanUp };
}
