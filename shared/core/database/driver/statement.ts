/** A statement as it goes to the server: text with `$1`, `$2`, … and the values that they stand for. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Under it a session beside the pool keeps the statement prepared. */
  readonly name?: string | undefined;
}

/** What the server answered to a statement. */
export interface Answer {
  readonly rows: unknown[];
  /** How many rows a write changed. */
  readonly affected?: number | undefined;
}
