import { Thread } from '../../core/threads/thread.js';
import type { FileDetails, ReadContents } from './measure-files.js';

/** Maximum memory: a list of a million files and the data derived from it. */
const MEMORY_MIB = 1024;
/** As long as a list of 64 MiB takes, several times. */
const TIMEOUT_MS = 60_000;

const measuring = new Thread<Uint8Array, FileDetails>(
  new URL('./measure-worker.js', import.meta.url),
  'measures repositories',
  MEMORY_MIB,
);

/**
 * `measureFiles` on a thread of its own. git is run on this side, where its processes are counted.
 * @throws ThreadTimeout after a minute, or `timeoutMs`
 */
export function measureFilesApart(
  list: Buffer,
  read: ReadContents,
  { timeoutMs = TIMEOUT_MS, signal }: { timeoutMs?: number | undefined; signal?: AbortSignal },
): Promise<FileDetails> {
  // The only wish that `measure-worker.ts` has: contents by their ids.
  const onRequest = (about: unknown) => read(about as string[]);
  return measuring.ask(list, { timeoutMs, onRequest, ...(signal && { signal }) });
}
