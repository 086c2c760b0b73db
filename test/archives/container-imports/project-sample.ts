import { gzipSync } from 'node:zlib';
import { getTar } from '../read/tar-bytes.js';
import type { RawEntry } from '../read/tar-bytes.js';

/** The contents of a project's archive. */
export interface SampleProject {
  /** Null for an archive without any. */
  attributes?: Record<string, unknown> | null;
  relations?: Record<string, Record<string, unknown>[]>;
  bundle?: Buffer;
  /** Other files by their names. */
  files?: Record<string, Buffer>;
}

/** An archive of a project, laid out as exports do it, its files in the opposite order. */
export function sampleProject({ attributes = {}, relations = {}, bundle, files = {} }: SampleProject): Buffer {
  const entries: RawEntry[] = [
    ...Object.entries(files).map(([name, body]) => ({ name: `./${name}`, body })),
    ...(bundle ? [{ name: './project.bundle', body: bundle }] : []),
    ...Object.entries(relations).map(([relation, rows]) => ({
      name: `./tree/project/${relation}.ndjson`,
      body: rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    })),
    ...(attributes ? [{ name: './tree/project.json', body: JSON.stringify(attributes) }] : []),
    { name: './VERSION', body: '0.2.4' },
  ];
  return gzipSync(getTar(entries));
}
