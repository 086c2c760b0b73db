import { eachRecord } from './output-records.js';
import type { TakeOutput } from './run.js';

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
  /** Exceeds the limit of one file or of one diff: `text` is empty. */
  tooLarge: boolean;
  /** The files before it used up the limit of one page: `text` is empty, and is returned with smaller pages. */
  collapsed: boolean;
}

export interface DiffPage {
  files: FileDiff[];
  /** Of all files that differ. */
  total: number;
  /** A file up to the end of the page has no hunks, because the diff is too large as a whole. */
  overflow: boolean;
}

/** The files of a diff to return. */
export interface DiffPageOptions {
  /** Files before the first one. */
  skip: number;
  /** Files at most. */
  limit: number;
  /** Bytes of their paths and hunks as JSON, which is their size in a response: 8 MiB by default. */
  mostBytes?: number;
  /** Of these paths alone, as the diff names its files before and after; all of them where left out. */
  paths?: readonly string[];
}

/** Maximum number of files of a diff with hunks; further ones are only listed. */
export const MOST_DIFF_FILES = 3000;
/** Lines of hunks of a diff, and bytes of them that are read. */
const MOST_LINES = 100_000;
const MOST_READ = 64 * 1024 * 1024;
const MOST_OF_FILE = 200 * 1024;
const MOST_OF_PAGE = 8 * 1024 * 1024;

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

const startsWith = (line: Buffer, text: string): boolean => line.toString('latin1', 0, text.length) === text;

/** git's text for a changed binary file. */
function binaryText(kind: FileDiff['kind'], path: string): string {
  const before = kind === 'added' ? '/dev/null' : `a/${path}`;
  const after = kind === 'deleted' ? '/dev/null' : `b/${path}`;
  return `Binary files ${before} and ${after} differ\n`;
}

/**
 * Parses the output of `git diff-tree -z --raw --patch`: all files, each as `:modes ids kind NUL path NUL`, and after
 * an empty record their hunks in the same order. A file that becomes a link, or vice versa, has two parts there.
 *
 * Only one page of files is held in memory. The limits for hunks are 3,000 files, 100,000 lines and 64 MiB per diff,
 * counted from its first file regardless of the page; 200 KiB per file; 8 MiB per page. Files beyond these limits are
 * returned without hunks.
 */
export class DiffReader {
  #total = 0;
  readonly #files: FileDiff[] = [];
  /** Number of parts of the files before the page, and the file of the page for each part after them. */
  #partsBefore = 0;
  readonly #parts: FileDiff[] = [];

  /** The record at hand, as far as it has come; null once the list of files is over. */
  #record: Buffer | null = Buffer.alloc(0);
  /** The header of the current file, and the paths still missing. */
  #begun: { head: RegExpExecArray; paths: string[]; lacks: number } | null = null;

  #part = -1;
  #inHead = false;
  #held: Held | null = null;
  /** Of all hunks so far, held or not. */
  #lineCount = 0;
  #bytesRead = 0;
  /** Size of the page's files so far, as JSON. */
  #reportedBytes = 0;
  #overflow = false;

  /** Position behind the last file that is held. */
  #end: number;
  readonly #mostBytes: number;

  /**
   * @param options the page to return; it has fewer files than `limit` if their paths alone exceed `mostBytes`
   * @param left paths of files whose hunks are omitted: binary files that were added, deleted, or changed type
   */
  constructor(
    private readonly options: DiffPageOptions,
    private readonly left: ReadonlySet<string> = new Set(),
  ) {
    this.#end = options.skip + options.limit;
    this.#mostBytes = options.mostBytes ?? MOST_OF_PAGE;
  }

  /** Consumes git's output; true once no more of it is needed. */
  readonly take: TakeOutput = (chunk) => {
    if (this.#record === null) return this.#lines(chunk);
    let rest = Buffer.concat([this.#record, chunk]);
    for (let end = rest.indexOf(NUL); end >= 0; end = rest.indexOf(NUL)) {
      const record = rest.toString('utf8', 0, end);
      rest = rest.subarray(end + 1);
      if (record === '' && !this.#begun) {
        // After the last file with hunks, the output is no longer read.
        return this.endList() || this.#lines(rest);
      }
      this.#takeRecord(record);
    }
    this.#record = rest;
    return false;
  };

  /** The list of files is over, and its hunks come by themselves. True where none of them are needed. */
  endList(): boolean {
    this.#record = null;
    return this.#parts.length === 0;
  }

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
    const [oldPath = '', newPath = oldPath] = paths;
    const comes = !this.left.has(oldPath);
    // What becomes a link, or the other way round, goes and comes.
    const parts = comes ? (letter === 'T' ? 2 : 1) : 0;
    if (position < this.options.skip) this.#partsBefore += parts;
    if (position < this.options.skip || position >= this.#end) return;
    const reportedBytes = this.#reportedBytes + Buffer.byteLength(JSON.stringify([oldPath, newPath]));
    if (reportedBytes > this.#mostBytes) {
      this.#end = position;
      return;
    }
    this.#reportedBytes = reportedBytes;
    const kind = KINDS[letter] ?? 'changed';
    const tooLarge = position >= MOST_DIFF_FILES;
    const text = comes || tooLarge ? '' : binaryText(kind, oldPath);
    const file = { oldPath, newPath, oldMode, newMode, kind, text, tooLarge, collapsed: false };
    this.#files.push(file);
    if (tooLarge) this.#overflow = true;
    else for (let count = 0; count < parts; count += 1) this.#parts.push(file);
  }

  readonly #lines: TakeOutput = eachRecord(NEWLINE, MOST_OF_FILE, (line) => {
    if (startsWith(line, 'diff --git ')) {
      this.#part += 1;
      this.#inHead = true;
      return this.#begin(this.#part - this.#partsBefore);
    }
    if (this.#inHead && !startsWith(line, '@@') && !startsWith(line, 'Binary files ')) return false;
    this.#inHead = false;
    this.#lineCount += 1;
    this.#bytesRead += line.length + 1;
    if (this.#lineCount > MOST_LINES || this.#bytesRead > MOST_READ) return this.#giveUp();
    if (this.#held) this.#hold(this.#held, line);
    return false;
  });

  /** Starts a part of the page, counted from 0. True if the page has no more parts. */
  #begin(part: number): boolean {
    const file = this.#parts[part];
    if (this.#held && this.#held.file !== file) this.#finish();
    if (file) this.#held ??= { file, lines: [], bytes: 0 };
    return part >= this.#parts.length;
  }

  #hold(held: Held, line: Buffer): void {
    held.bytes += line.length + 1;
    if (held.bytes > MOST_OF_FILE) held.lines.length = 0;
    // A copy: what it is cut from is as large as the pipe's piece.
    else held.lines.push(Buffer.from(line));
  }

  #finish(): void {
    const { file, lines, bytes } = this.#held!;
    this.#held = null;
    if (bytes > MOST_OF_FILE) {
      file.tooLarge = true;
      return;
    }
    const text = lines.map((line) => `${line.toString('utf8')}\n`).join('');
    const reportedBytes = this.#reportedBytes + Buffer.byteLength(JSON.stringify(text));
    if (reportedBytes > this.#mostBytes) {
      file.collapsed = true;
      return;
    }
    this.#reportedBytes = reportedBytes;
    file.text = text;
  }

  /** The current file and all later files have no hunks. */
  #giveUp(): true {
    this.#held = null;
    for (const file of this.#parts.slice(Math.max(0, this.#part - this.#partsBefore))) {
      file.tooLarge = true;
      file.text = '';
      this.#overflow = true;
    }
    return true;
  }

  page(): DiffPage {
    if (this.#held) this.#finish();
    return { files: this.#files, total: this.#total, overflow: this.#overflow };
  }
}
