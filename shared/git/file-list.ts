import { requireSha } from './object-ids.js';
import { runGit } from './run.js';

export interface SizedFile {
  /** Of its content. */
  id: string;
  path: string;
  /** Bytes. */
  size: number;
}

/**
 * The list of a commit's files (full id) as printed by git, for {@link parseFileList}, which may take seconds of CPU
 * time. A list longer than 64 MiB is cut.
 */
export async function readFileList(repository: string, sha: string, signal?: AbortSignal): Promise<Buffer> {
  return (
    await runGit(repository, ['ls-tree', '-r', '-z', '-l', requireSha(sha)], {
      cutOutput: true,
      ...(signal && { signal }),
    })
  ).stdout;
}

const NUL = 0;
const TAB = 9;
/** `100644 blob <id> <size>` */
const FILE = /^100[0-7]{3} blob ([0-9a-f]{40}) +(\d+)$/;

/** The files of a list, submodules and symbolic links left out. */
export function parseFileList(list: Buffer): SizedFile[] {
  const files: SizedFile[] = [];
  for (let at = 0; at < list.length;) {
    const end = list.indexOf(NUL, at);
    // The last line of a list that was cut.
    if (end < 0) break;
    const tab = list.indexOf(TAB, at);
    const [, id, size] = FILE.exec(list.toString('latin1', at, tab)) ?? [];
    if (id !== undefined) files.push({ id, path: list.toString('utf8', tab + 1, end), size: Number(size) });
    at = end + 1;
  }
  return files;
}
