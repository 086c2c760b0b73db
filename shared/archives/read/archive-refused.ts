/** Where in an archive a problem is. */
export interface ArchivePlace {
  /** Name of the entry. */
  file?: string;
  /** Number of the line, from 1. */
  line?: number;
}

/** An archive is not read any further. The message says why, for whoever sent it. */
export class ArchiveRefused extends Error {
  constructor(
    message: string,
    readonly place: ArchivePlace = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** The message with the file and line that it is about, where it is about one. */
  get reason(): string {
    const { file, line } = this.place;
    if (file === undefined) return this.message;
    return `${this.message} (${file}${line === undefined ? '' : `, line ${line}`})`;
  }
}

/** What is told where an archive is larger than it may be once decompressed (group-export-import.md section 5). */
export const TOO_LARGE = 'Decompressed archive size validation failed.';
