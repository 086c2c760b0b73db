/* The part of archiver that is used; the package has no types of its own. */
declare module 'archiver' {
  import type { Readable, Transform } from 'node:stream';
  export class TarArchive extends Transform {
    constructor(options: { gzip: boolean; gzipOptions: { level: number } });
    append(
      content: Buffer | Readable,
      entry: { name: string; date: Date; mode: number; stats: { size: number } },
    ): this;
    finalize(): Promise<void>;
  }
}
