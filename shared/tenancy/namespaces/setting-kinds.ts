import type { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import { p, reference } from '../../core/database/entity.js';
import { boolean, clearable, clearableText, integer, list, oneOf, optional } from '../../core/operations/fields.js';
import { out } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import type { OlderName, ContainerSetting, SettingOptions } from './declared-settings.js';

/** Whole numbers that a setting takes, both ends included. */
export interface Range {
  readonly low: number;
  readonly high: number;
  /** Error message of the public API; defaults to one message per bound. */
  readonly message?: string;
}

/** The largest number that a column holds. */
export const MOST = 2 ** 31 - 1;

function rangeProblem(value: number | null | undefined, { low, high, message }: Range): string | null {
  if (typeof value !== 'number' || (value >= low && value <= high)) return null;
  return message ?? (value < low ? `must be greater than or equal to ${low}` : `must be less than or equal to ${high}`);
}

const lengthProblem = (value: string | null | undefined, most: number): string | null =>
  [...(value ?? '')].length > most ? `is too long (maximum is ${most} characters)` : null;

/** Validator for kinds whose parsed values are always valid. */
const fine =
  <V>() =>
  (_value: V): string | null =>
    null;

/** Combines the properties of a kind with those of the individual setting. */
function createSetting<P extends z.ZodType, C, V, I, O>(
  kind: {
    param: P;
    column: C;
    initial: I;
    show: <T>(get: (record: T, ctx: Context) => NoInfer<V>) => OutField<T>;
    problem: (value: V) => string | null;
  },
  docs: string,
  options: O,
): ContainerSetting<P, C, V, I, O> {
  return { ...kind, param: kind.param.describe(docs), docs, options };
}

type Text = string | null | undefined;
type Whole = number | null | undefined;

/**
 * The kinds of container settings; each defines its parameter, its column and its response field.
 * `A`: the audiences that the container's serializer distinguishes.
 */
export function settingKinds<A extends string>() {
  type Options = SettingOptions<A>;
  return {
    flag: <const O extends Options>(initial: boolean, docs: string, options: O) =>
      createSetting(
        { param: optional(boolean()), column: p.boolean(), initial, show: out.boolean, problem: fine<boolean>() },
        docs,
        options,
      ),

    /** A flag that is null until a user sets it. */
    openFlag: <const O extends Options>(docs: string, options: O) =>
      createSetting(
        {
          param: optional(boolean()),
          column: p.boolean().nullable(),
          initial: null,
          show: out.nullableFlag,
          problem: fine<boolean | null | undefined>(),
        },
        docs,
        options,
      ),

    /** @param listed values listed in the response field's description, if any */
    choice: <const W extends readonly string[], I extends W[number] | undefined, const O extends Options>(
      choices: W,
      initial: I,
      docs: string,
      options: O,
      listed?: readonly string[],
    ) =>
      createSetting(
        {
          param: optional(oneOf(choices)),
          column: p.string(),
          initial,
          show: <T>(get: (record: T, ctx: Context) => string) => out.text(get, listed ? { enum: listed } : {}),
          problem: fine<string>(),
        },
        docs,
        options,
      ),

    /** @param most characters at most */
    text: <const O extends Options>(most: number, docs: string, options: O) =>
      createSetting(
        {
          param: clearableText(),
          column: p.string().nullable(),
          initial: null,
          show: out.nullableText,
          problem: (value: Text) => lengthProblem(value, most),
        },
        docs,
        options,
      ),

    number: <const O extends Options>(initial: number, range: Range, docs: string, options: O) =>
      createSetting(
        {
          param: optional(integer()),
          column: p.integer(),
          initial,
          show: out.integer,
          problem: (value: number) => rangeProblem(value, range),
        },
        docs,
        options,
      ),

    /** A number that may be cleared. */
    openNumber: <const O extends Options>(initial: number | null, range: Range, docs: string, options: O) =>
      createSetting(
        {
          param: clearable(integer()),
          column: p.integer().nullable(),
          initial,
          show: out.nullableInteger,
          problem: (value: Whole) => rangeProblem(value, range),
        },
        docs,
        options,
      ),

    /** A list of texts of one kind, at most `max`. */
    texts: <I extends z.ZodType<string>, const O extends Options>(
      item: I,
      initial: string[],
      docs: string,
      options: O,
      limits: { max?: number } = {},
    ) =>
      createSetting(
        {
          param: optional(list(item, limits)),
          column: p.array(),
          initial,
          show: out.texts,
          problem: fine<string[]>(),
        },
        docs,
        options,
      ),

    /** Id of a user, or null. */
    user: <const O extends Options>(docs: string, options: O) =>
      createSetting(
        {
          param: optional(integer()),
          column: reference().nullable(),
          initial: null,
          show: out.nullableInteger,
          problem: fine<Whole>(),
        },
        docs,
        options,
      ),
  };
}

/** A flag that older clients send for a setting. */
export function olderFlag<const N extends string, V>(
  replacedBy: N,
  read: (value: boolean) => V,
  docs = `Deprecated: use ${replacedBy}.`,
) {
  const param = optional(boolean()).describe(docs);
  return { param, replacedBy, read: (value) => read(value === true) } satisfies OlderName<typeof param, N, V>;
}
