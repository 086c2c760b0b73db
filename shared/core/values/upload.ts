/** A file that came with a request, kept on disk until the request is answered. */
export class Upload {
  constructor(
    /** Where it lies; an operation that keeps the file copies or moves it. */
    readonly path: string,
    /** As the client names it: never part of a path. */
    readonly filename: string,
    readonly mediaType: string,
    readonly bytes: number,
  ) {}
}
