/** Told how far an export is. */
export interface Progress {
  /** A relation begins that has so many objects. */
  begin(relation: string, total: number): Promise<void>;
  /** So many more of them are written. */
  done(relation: string, count: number): Promise<void>;
  /** Everything is written. */
  end(): Promise<void>;
}
