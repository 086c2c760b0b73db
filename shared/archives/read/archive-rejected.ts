import { ObjectMissing, StoreUnavailable } from '../../core/object-store/object-store.js';
import { isDiskFull } from '../../git/index.js';

/** Where in an archive a problem is. */
export interface ArchiveLocation {
  /** Name of the entry. */
  file?: string;
  /** Number of the line, from 1. */
  line?: number;
}

/** The archive is not read any further. The message gives the reason to the user who uploaded it. */
export class ArchiveRejected extends Error {
  constructor(
    message: string,
    readonly location: ArchiveLocation = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** The message with the file and line it refers to, if any. */
  get reason(): string {
    const { file, line } = this.location;
    if (file === undefined) return this.message;
    return `${this.message} (${file}${line === undefined ? '' : `, line ${line}`})`;
  }
}

/** The first characters of a text, of which none is cut in half. */
export const truncate = (text: string, most: number): string =>
  text.length <= most
    ? text
    : Array.from(text.slice(0, 2 * most))
        .slice(0, most)
        .join('');

/** The error of an archive that is larger than it may be once decompressed (group-export-import.md section 5). */
export const TOO_LARGE = 'Decompressed archive size validation failed.';

/** The infrastructure problem that made a job fail, for the waiting user; null for an internal error. */
export function getArchiveProblem(error: unknown): string | null {
  if (isDiskFull(error)) return 'There is no space left.';
  if (error instanceof StoreUnavailable) return 'The object store does not answer.';
  return error instanceof ObjectMissing ? 'The stored archive is missing or damaged.' : null;
}
