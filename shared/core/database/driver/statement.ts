/** A statement as sent to the server: text with `$1`, `$2`, … and their values. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The name under which a session outside the pool prepares the statement. */
  readonly name?: string | undefined;
}

/** The server's answer to a statement. */
export interface Answer {
  readonly rows: unknown[];
  /** How many rows a write changed. */
  readonly affected?: number | undefined;
}
