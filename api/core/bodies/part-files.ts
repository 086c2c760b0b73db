import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import type { Services } from '../../../shared/core/context.js';
import { Upload } from '../../../shared/core/upload.js';
import type { PartHead } from './part-headers.js';

/** A file that came as a part. */
export interface PartFile {
  head: PartHead;
  write(bytes: Buffer): void;
  /** No more comes. */
  end(): void;
}

/** Where the files of one request go. */
export interface PartFiles {
  open(head: PartHead): PartFile;
  /** Waits until more may be written; nothing to wait for is undefined. */
  ready(): Promise<void> | undefined;
  /** What has come, by parameter; of several files for one parameter the last. */
  store(): Promise<Map<string, Upload>>;
  /** Removes everything. */
  remove(): Promise<void>;
}

const uploadOf = (filePath: string, { filename, mediaType }: PartHead, bytes: number) =>
  new Upload(filePath, filename ?? '', mediaType || 'application/octet-stream', bytes);

/** A folder of the request's own below the data directory, which goes when the request is answered. */
async function makeFolder(services: Services): Promise<string> {
  const incoming = path.join(services.config.dataDir, 'incoming');
  await mkdir(incoming, { recursive: true });
  return mkdtemp(path.join(incoming, 'request-'));
}

const removeFolder = (folder: string) => rm(folder, { recursive: true, force: true });

/** Files that are written as they arrive. */
export async function filesOnDisk(services: Services): Promise<PartFiles> {
  const folder = await makeFolder(services);
  const opened: { head: PartHead; stream: WriteStream; done: Promise<void> }[] = [];
  const current = () => opened.at(-1)?.stream;
  return {
    open(head) {
      const stream = createWriteStream(path.join(folder, String(opened.length)));
      const done = finished(stream);
      // Told by store(), which may never be called.
      done.catch(() => undefined);
      opened.push({ head, stream, done });
      return { head, write: (bytes) => void stream.write(bytes), end: () => stream.end() };
    },
    ready() {
      const stream = current();
      if (!stream?.writableNeedDrain) return undefined;
      return once(stream, 'drain').then(() => undefined);
    },
    async store() {
      await Promise.all(opened.map(({ done }) => done));
      return new Map(
        opened.map(({ head, stream }) => [head.name, uploadOf(stream.path as string, head, stream.bytesWritten)]),
      );
    },
    async remove() {
      for (const { stream } of opened) stream.destroy();
      await Promise.all(opened.map(({ done }) => done.catch(() => undefined)));
      await removeFolder(folder);
    },
  };
}

/** Files of a caller who is not known yet, kept in memory; to the disk they go when somebody asks for them. */
export function filesInMemory(services: Services): PartFiles {
  const opened: { head: PartHead; chunks: Buffer[] }[] = [];
  let folder: string | undefined;
  return {
    open(head) {
      const chunks: Buffer[] = [];
      opened.push({ head, chunks });
      return { head, write: (bytes) => void chunks.push(bytes), end: () => undefined };
    },
    ready: () => undefined,
    async store() {
      if (opened.length === 0) return new Map();
      const into = (folder = await makeFolder(services));
      const stored = opened.map(async ({ head, chunks }, index): Promise<[string, Upload]> => {
        const bytes = Buffer.concat(chunks);
        const filePath = path.join(into, String(index));
        await writeFile(filePath, bytes);
        return [head.name, uploadOf(filePath, head, bytes.length)];
      });
      return new Map(await Promise.all(stored));
    },
    remove: async () => (folder === undefined ? undefined : removeFolder(folder)),
  };
}
