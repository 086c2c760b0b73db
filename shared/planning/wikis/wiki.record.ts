import type { WikiFile } from './wiki-formats.js';

/** A page of a wiki. */
export interface WikiPageRecord extends WikiFile {
  readonly title: string;
  readonly meta_id: number | null;
}

/** A page with what is in it. */
export interface WholeWikiPage extends WikiPageRecord {
  /** As it was written, or as HTML. */
  readonly content: string;
  readonly front_matter: Readonly<Record<string, unknown>>;
}
