/**
 * What the attributes of an archive's objects are. A reader takes these alone and drops every other key; a writer
 * writes all of them, in this order. Each may be null or absent: what that means depends on the relation.
 *
 * - `number`: an integer. `text`, `flag`: JSON's string and boolean.
 * - `time`: an instant as RFC 3339 text in UTC, to the millisecond. `date`: `YYYY-MM-DD`.
 * - `word`: one of the named texts.
 * - `id`: the id that the object had where it was exported; unique in its relation and archive.
 * - `ref`: such an id of an object of the named relation.
 * - `one`: an object, or null. `many`: a list of objects.
 * - `free`: JSON that the reader has to check itself.
 */
export type ArchiveAttribute =
  | { readonly is: 'id' | 'number' | 'text' | 'flag' | 'time' | 'date' | 'free' }
  | { readonly is: 'word'; readonly of: readonly (string | number)[] }
  | { readonly is: 'ref'; readonly to: string }
  | { readonly is: 'one' | 'many'; readonly of: ArchiveAttributes };
export type ArchiveAttributes = Readonly<Record<string, ArchiveAttribute>>;

/** One file of objects of a group or project. */
export interface ArchiveRelation {
  /** The file's name without its ending, and the relation's name in the API. */
  readonly name: string;
  readonly attributes: ArchiveAttributes;
  /** The file is one object without a line's end, rather than one a line. */
  readonly single?: true;
  /** Read where an archive has it, and never written. */
  readonly incoming?: true;
  /** The plan that has such objects: without it nothing is written. */
  readonly plan?: 'premium';
}

const plain = <T extends ArchiveAttribute['is']>(is: T): { readonly is: T } => ({ is });
const ref = (to: string): ArchiveAttribute => ({ is: 'ref', to });

/** What descriptions are written with. */
export const attributeKinds = {
  id: plain('id'),
  number: plain('number'),
  text: plain('text'),
  flag: plain('flag'),
  time: plain('time'),
  date: plain('date'),
  free: plain('free'),
  word: (...of: (string | number)[]): ArchiveAttribute => ({ is: 'word', of }),
  ref,
  /** Nobody here: it joins objects of the archive with `user_contributions` and a `user` beside it. */
  user: ref('users'),
  one: (of: ArchiveAttributes): ArchiveAttribute => ({ is: 'one', of }),
  many: (of: ArchiveAttributes): ArchiveAttribute => ({ is: 'many', of }),
} as const;
