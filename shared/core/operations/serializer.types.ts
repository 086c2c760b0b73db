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
  /** What `get` asks first, shared by several fields: it is asked once for a record, and then only `open` is called. */
  guard?: (record: T, ctx: Context) => boolean;
  open?: (record: T, ctx: Context) => unknown;
}

/** A part of a record that is shown where it is asked for. */
export interface View<T> {
  /** What only its fields need. */
  loads?: readonly Load<T>[];
  /** Whom it is shown to; everybody unless given. */
  when?: (ctx: Context) => boolean;
  /** Shown unless the caller says no. */
  byDefault?: boolean;
}

/**
 * The only way a record leaves the process: a field not named in its serializer is not public.
 * Keys whose value is undefined are not written; absent values are null.
 */
export interface Serializer<T> {
  readonly name: string;
  /** Those of every view. */
  readonly fields: Readonly<Record<string, OutField<T>>>;
  /** By name: that of the parameter that asks for it. */
  readonly views: Readonly<Record<string, View<T>>>;
  present(record: T, ctx: Context): Record<string, unknown>;
  /** Loads what the fields need from elsewhere, once for a whole page. */
  load(ctx: Context, records: readonly T[]): Promise<void>;
  /** The same with these views and no others. */
  showing(names: readonly string[]): Serializer<T>;
  /** The same with the views that parameters ask for and that the caller may see. */
  selectViews(ctx: Context, input: Readonly<Record<string, unknown>>): Serializer<T>;
}
