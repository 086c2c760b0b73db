import { Parser } from 'tar';
import { gunzipSync } from 'node:zlib';

/** A file of an archive as a test reads it. */
export interface ReadEntry {
  readonly name: string;
  readonly text: string;
  readonly bytes: Buffer;
  readonly header: { mode: number | undefined; mtime: number | undefined; uid: number | undefined; uname: string };
}

/** The files of a gzipped tar, in their order. */
export async function readArchive(archive: Buffer): Promise<ReadEntry[]> {
  const entries: ReadEntry[] = [];
  await new Promise<void>((resolve, reject) => {
    const parser = new Parser({
      onReadEntry(entry) {
        const pieces: Buffer[] = [];
        entry.on('data', (piece) => pieces.push(piece));
        entry.on('end', () => {
          const bytes = Buffer.concat(pieces);
          const { mode, mtime, uid, uname = '' } = entry;
          const header = { mode, mtime: mtime?.getTime(), uid, uname };
          entries.push({ name: entry.path, text: bytes.toString(), bytes, header });
        });
      },
    });
    parser.on('end', resolve).on('error', reject);
    parser.end(gunzipSync(archive));
  });
  return entries;
}

/** The files by name; those of relations as their objects. */
export async function archiveObjects(archive: Buffer): Promise<Map<string, Record<string, unknown>[]>> {
  const entries = await readArchive(archive);
  return new Map(
    entries
      .filter(({ name }) => name.endsWith('json'))
      .map(({ name, text }) => [
        name,
        text
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Record<string, unknown>),
      ]),
  );
}
