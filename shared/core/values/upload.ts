/** A file uploaded with a request, stored on disk until the request is answered. */
export class Upload {
  constructor(
    /** Its path on disk; an operation that keeps the file copies or moves it. */
    readonly path: string,
    /** As the client names it: never part of a path. */
    readonly filename: string,
    readonly mediaType: string,
    readonly bytes: number,
  ) {}
}
