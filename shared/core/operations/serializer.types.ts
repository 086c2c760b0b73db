import type { Context } from '../context/context.js';
import type { Load } from '../context/loads.js';

/** One public field: how it is read from a record, and how OpenAPI describes it. */
export interface OutField<T> {
  get(record: T, ctx: Context): unknown;
  schema: Record<string, unknown>;
  /** The key is left out for some callers or records. */
  optional?: boolean;
  /** Its value opens something: an answer that shows one is not compressed. */
  secret?: true;
  /** The one view of the serializer that has it. */
  view?: string;
  /**
   * A condition of `get` that several fields share: it is evaluated once per record; if it holds, only `open` is
   * called.
   */
  guard?: (record: T, ctx: Context) => boolean;
  open?: (record: T, ctx: Context) => unknown;
}

/** A part of a record that is visible on request. */
export interface View<T> {
  /** What only its fields need. */
  loads?: readonly Load<T>[];
  /** The callers that may see it; all callers by default. */
  when?: (ctx: Context) => boolean;
  /** Visible unless the caller opts out. */
  byDefault?: boolean;
}

/**
 * The only way a record leaves the process: a field not listed in its serializer is not public. Keys whose value is
 * undefined are not written; absent values are null.
 */
export interface Serializer<T> {
  readonly name: string;
  /** The fields of all views. */
  readonly fields: Readonly<Record<string, OutField<T>>>;
  /** By the name of the parameter that requests the view. */
  readonly views: Readonly<Record<string, View<T>>>;
  present(record: T, ctx: Context): Record<string, unknown>;
  /** Loads related data that the fields need, once for a whole page. */
  load(ctx: Context, records: readonly T[]): Promise<void>;
  /** The same with these views and no others. */
  showing(names: readonly string[]): Serializer<T>;
  /** The same with the views that parameters request and that the caller may see. */
  selectViews(ctx: Context, input: Readonly<Record<string, unknown>>): Serializer<T>;
}
