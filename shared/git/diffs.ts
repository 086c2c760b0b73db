import type { Repository } from './lanes.js';
import { requireSha } from './object-ids.js';
import { eachRecord } from './output-records.js';
import { onCommit } from './revisions.js';
import { scanGit, type TakeOutput } from './run.js';

/** How one file differs between two commits. */
export interface FileDiff {
  oldPath: string;
  /** The same as `oldPath` unless the file was renamed. */
  newPath: string;
  /** `100644`, or `000000` where there is no file. */
  oldMode: string;
  newMode: string;
  kind: 'added' | 'deleted' | 'renamed' | 'changed';
  /** Hunks, from the first `@@` on; one line for binary files, empty where only name or mode changed. */
  text: string;
  /** More than one file may tell: `text` is empty. */
  tooLarge: boolean;
  /** The files before it told as much as one reading may: `text` is empty, and comes with fewer files at once. */
  collapsed: boolean;
}

export interface DiffPage {
  files: FileDiff[];
  /** Of all files that differ. */
  total: number;
}

/** Bytes of one file's hunks, and bytes of all of them as JSON, which is what an answer holds. */
const MOST_OF_FILE = 200 * 1024;
const MOST_OF_PAGE = 8 * 1024 * 1024;

/** What a commit without a parent is compared with. */
export const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

const ARGS = ['diff-tree', '-r', '-z', '--raw', '--patch', '--find-renames', '-l200', '--no-ext-diff', '--no-textconv'];

/**
 * The files that differ from one commit or tree to another, both full ids, in the order of their paths: `limit` of them
 * from `skip` on, counted from 0. Files over 8 MiB count as binary. Only the page that is asked for is held.
 * @throws RevisionNotFound; else as scanGit
 */
export async function readDiffs(
  repository: Repository,
  range: { from: string; to: string },
  { skip, limit }: { skip: number; limit: number },
): Promise<DiffPage> {
  const reader = new DiffReader(skip, limit);
  const args = [...ARGS, requireSha(range.from), requireSha(range.to), '--'];
  await onCommit(range.to, scanGit(repository, args, reader.take, { lane: 'long' }));
  return reader.page();
}

const NUL = 0;
const NEWLINE = 0x0a;
const RAW = /^:(\d{6}) (\d{6}) [0-9a-f]+ [0-9a-f]+ ([A-Z])/;
const KINDS: Record<string, FileDiff['kind']> = { A: 'added', D: 'deleted', R: 'renamed' };

/** A file of the page while its hunks come. */
interface Held {
  file: FileDiff;
  lines: Buffer[];
  bytes: number;
}

/**
 * Reads what git prints: all files, each as `:modes ids kind NUL path NUL`, and after an empty record their hunks in the
 * same order. A file that becomes a link, or the other way round, has two parts there.
 */
class DiffReader {
  #total = 0;
  readonly #held: Held[] = [];
  /** Parts of the files before the page, and which file of the page each part after them belongs to. */
  #partsBefore = 0;
  readonly #parts: Held[] = [];

  /** The record at hand, as far as it has come; null once the list of files is over. */
  #record: Buffer | null = Buffer.alloc(0);
  /** What a file began with, and the paths that it still lacks. */
  #begun: { head: RegExpExecArray; paths: string[]; lacks: number } | null = null;

  #part = -1;
  #inHead = false;
  #told = 0;

  constructor(
    private readonly skip: number,
    private readonly limit: number,
  ) {}

  readonly take: TakeOutput = (chunk) => {
    if (this.#record === null) return this.#lines(chunk);
    let rest = Buffer.concat([this.#record, chunk]);
    for (let end = rest.indexOf(NUL); end >= 0; end = rest.indexOf(NUL)) {
      const record = rest.toString('utf8', 0, end);
      rest = rest.subarray(end + 1);
      if (record === '' && !this.#begun) {
        this.#record = null;
        return this.#lines(rest);
      }
      this.#takeRecord(record);
    }
    this.#record = rest;
    return false;
  };

  #takeRecord(record: string): void {
    if (!this.#begun) {
      const head = RAW.exec(record);
      if (!head) throw new Error(`git diff-tree printed "${record.slice(0, 100)}"`);
      this.#begun = { head, paths: [], lacks: head[3] === 'R' ? 2 : 1 };
      return;
    }
    this.#begun.paths.push(record);
    this.#begun.lacks -= 1;
    if (this.#begun.lacks > 0) return;
    const { head, paths } = this.#begun;
    this.#begun = null;
    this.#takeFile(head, paths);
  }

  #takeFile([, oldMode = '', newMode = '', letter = '']: RegExpExecArray, paths: string[]): void {
    const position = this.#total;
    this.#total += 1;
    const parts = letter === 'T' ? 2 : 1;
    if (position < this.skip) this.#partsBefore += parts;
    if (position < this.skip || position >= this.skip + this.limit) return;
    const [oldPath = '', newPath = oldPath] = paths;
    const kind = KINDS[letter] ?? 'changed';
    const file = { oldPath, newPath, oldMode, newMode, kind, text: '', tooLarge: false, collapsed: false };
    const held = { file, lines: [], bytes: 0 };
    this.#held.push(held);
    for (let count = 0; count < parts; count += 1) this.#parts.push(held);
  }

  readonly #lines: TakeOutput = eachRecord(NEWLINE, MOST_OF_FILE, (line) => {
    if (startsWith(line, 'diff --git ')) {
      this.#part += 1;
      this.#inHead = true;
      return this.#part - this.#partsBefore >= this.#parts.length;
    }
    const held = this.#parts[this.#part - this.#partsBefore];
    if (!held) return false;
    if (this.#inHead && !startsWith(line, '@@') && !startsWith(line, 'Binary files ')) return false;
    this.#inHead = false;
    this.#hold(held, line);
    return false;
  });

  #hold(held: Held, line: Buffer): void {
    held.bytes += line.length + 1;
    if (held.bytes > MOST_OF_FILE) held.lines.length = 0;
    // A copy: what it is cut from is as large as the pipe's piece.
    else held.lines.push(Buffer.from(line));
  }

  page(): DiffPage {
    const files = this.#held.map((held) => this.#finished(held));
    return { files, total: this.#total };
  }

  #finished({ file, lines, bytes }: Held): FileDiff {
    if (bytes > MOST_OF_FILE) return { ...file, tooLarge: true };
    const text = lines.map((line) => `${line.toString('utf8')}\n`).join('');
    const told = this.#told + Buffer.byteLength(JSON.stringify(text));
    if (told > MOST_OF_PAGE) return { ...file, collapsed: true };
    this.#told = told;
    return { ...file, text };
  }
}

const startsWith = (line: Buffer, text: string): boolean => line.toString('latin1', 0, text.length) === text;
