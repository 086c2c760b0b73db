import type { UnkeptObject } from './storing.js';

/** A file that came with a request and is stored already; it goes again unless the operation keeps its object. */
export class StoredFile {
  constructor(
    readonly object: UnkeptObject,
    /** As the client names it, and never part of a path or key; empty for a body that is the file itself. */
    readonly filename: string,
    readonly mediaType: string,
  ) {}
}
