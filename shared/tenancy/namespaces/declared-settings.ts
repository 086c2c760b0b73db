import type { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import type { Problems } from '../../core/values/errors.js';
import type { Settings } from '../../core/values/settings.js';
import type { OutField } from '../../core/operations/serializer.js';

type Plan = Settings['plan'];

/**
 * Options of a project or group setting, in addition to its kind. `A`: the audiences that the container's serializer
 * distinguishes.
 */
export interface SettingOptions<A extends string = string> {
  /**
   * Required plan: without it, submitted values are ignored and the setting is not shown (contract/README.md "Plans and
   * offerings").
   */
  readonly plan?: Plan;
  /** Values submitted by other callers are ignored. */
  readonly setBy?: 'administrators';
  /** A column of the container's own table, not of its settings: a right or a filter of lists depends on it. */
  readonly inRecord?: true;
  /** A fork, or a subgroup, begins with what its upstream, or the group above, is set to. */
  readonly inherited?: true;
  /** Its changes are recorded in the audit log. */
  readonly audited?: true;
  /** Who sees it, of those who see the full record; everybody where left out. */
  readonly visibleTo?: A | 'nobody';
  /** Whether it is also a field of the GraphQL type; a string overrides its description there. */
  readonly graphql?: true | string;
}

/** One setting: its parameter `P`, its column `C`, its values `V`, and its initial value in a new container. */
export interface ContainerSetting<
  P extends z.ZodType = z.ZodType,
  C = unknown,
  V = unknown,
  I = unknown,
  O = SettingOptions,
> {
  readonly param: P;
  readonly column: C;
  /** Undefined where more than the setting decides. */
  readonly initial: I;
  readonly docs: string;
  readonly options: O;
  /** The problem with a parsed value; null if it is valid. */
  problem(value: V): string | null;
  /** Its field in answers. */
  show<T>(get: (record: T, ctx: Context) => V): OutField<T>;
}

/** A parameter that older clients send for a setting; the setting itself goes before it. */
export interface OlderName<P extends z.ZodType = z.ZodType, N extends string = string, V = unknown> {
  readonly param: P;
  readonly replacedBy: N;
  /** The setting's value by this one. */
  read(value: z.output<P>): V;
}

/** Settings and older names by their names, in the order of parameters. */
export type Declared = Readonly<Record<string, ContainerSetting | OlderName>>;

type ValueOf<S> = S extends { problem(value: infer V): string | null } ? V : never;

/** Names of settings; of those in the container's own table, and of the others. */
type SettingName<D> = { [K in keyof D]: D[K] extends { column: unknown } ? K : never }[keyof D] & string;
export type RecordName<D> = { [K in keyof D]: D[K] extends { options: { inRecord: true } } ? K : never }[keyof D] &
  string;
export type ApartName<D> = Exclude<SettingName<D>, RecordName<D>>;

type ColumnsOf<D, K extends keyof D> = { [N in K]: D[N] extends { column: infer C } ? C : never };
type ParamsOf<D> = { [K in keyof D]: D[K] extends { param: infer P } ? P : never };
type ValuesOf<D, K extends keyof D> = { [N in K]: ValueOf<D[N]> };
/** Values of settings stored in the container's own table. */
export type RecordValues<D> = ValuesOf<D, RecordName<D>>;
/** Values of new containers, but for those that more than the setting decides. */
type InitialOf<D, K extends keyof D> = {
  [N in K as D[N] extends { initial: undefined } ? never : N]: ValueOf<D[N]>;
};

/** Holds each older name to a setting that is there, and what it reads to a value of that. */
type Checked<D> = {
  readonly [K in keyof D]: D[K] extends { replacedBy: infer N; read(value: never): infer V }
    ? N extends keyof D
      ? [V] extends [ValueOf<D[N]>]
        ? D[K]
        : never
      : never
    : D[K];
};

/** Declares settings of a kind of container. */
export function declareSettings<const D extends Declared>(declared: D & Checked<D>): D {
  return declared;
}

const isSetting = (one: ContainerSetting | OlderName): one is ContainerSetting => 'column' in one;

/** The settings among the declarations, with their names. */
export const settingEntries = (declared: Declared): [string, ContainerSetting][] =>
  Object.entries(declared).filter((entry): entry is [string, ContainerSetting] => isSetting(entry[1]));

/** The JSON type of its parameter, which may also be null. */
export const settingType = ({ param }: ContainerSetting): string => String([param.meta()?.type].flat()[0]);

/** One value for each setting that a condition names. */
const mapSettings = <V>(
  declared: Declared,
  condition: (one: ContainerSetting) => boolean,
  value: (one: ContainerSetting) => V,
) =>
  Object.fromEntries(
    settingEntries(declared)
      .filter(([, one]) => condition(one))
      .map(([name, one]) => [name, value(one)]),
  );

const inRecord = ({ options }: ContainerSetting) => options.inRecord === true;
const apart = (one: ContainerSetting) => !inRecord(one);

/** Every parameter, older names included. */
export function getSettingParams<D extends Declared>(declared: D): ParamsOf<D> {
  return Object.fromEntries(Object.entries(declared).map(([name, { param }]) => [name, param])) as ParamsOf<D>;
}

/** Columns of the container's own table, for its entity. */
export function recordColumns<D extends Declared>(declared: D) {
  return mapSettings(declared, inRecord, ({ column }) => column) as ColumnsOf<D, RecordName<D>>;
}

/** Columns of the table of settings, for its entity. */
export function settingColumns<D extends Declared>(declared: D) {
  return mapSettings(declared, apart, ({ column }) => column) as ColumnsOf<D, ApartName<D>>;
}

const isDecided = ({ initial }: ContainerSetting) => initial !== undefined;

/** Initial values of a new container's own row. */
export function initialRecord<D extends Declared>(declared: D) {
  const found = mapSettings(
    declared,
    (one) => inRecord(one) && isDecided(one),
    (one) => one.initial,
  );
  return found as InitialOf<D, RecordName<D>>;
}

/** Initial values of a new container's settings. */
export function initialSettings<D extends Declared>(declared: D) {
  const found = mapSettings(
    declared,
    (one) => apart(one) && isDecided(one),
    (one) => one.initial,
  );
  return found as InitialOf<D, ApartName<D>>;
}

/** Names of those settings of one table, or of both, that an option is chosen for. */
const chosen = (declared: Declared, table: (one: ContainerSetting) => boolean, option: keyof SettingOptions) =>
  settingEntries(declared)
    .filter(([, one]) => table(one) && one.options[option] !== undefined)
    .map(([name]) => name);

/** Names of settings in the container's own table that an option is chosen for. */
export function recordNamesWith<D extends Declared>(declared: D, option: keyof SettingOptions): RecordName<D>[] {
  return chosen(declared, inRecord, option) as RecordName<D>[];
}

/** The same of its other settings. */
export function settingNamesWith<D extends Declared>(declared: D, option: keyof SettingOptions): ApartName<D>[] {
  return chosen(declared, apart, option) as ApartName<D>[];
}

/** A record's values of these names alone. */
export const pick = <T extends object, K extends keyof T>(record: T, names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<T, K>;

/** Values that were sent, as columns of the two tables. What was not sent is left out. */
export interface DeclaredSettingValues<D> {
  record: Partial<ValuesOf<D, RecordName<D>>>;
  settings: Partial<ValuesOf<D, ApartName<D>>>;
}

/** Whether the caller may set it, on this instance. */
export const isSettable = (ctx: Context, { plan, setBy }: SettingOptions): boolean =>
  (plan === undefined || ctx.hasPlan(plan)) && (setBy === undefined || ctx.caller.admin);

/**
 * Reads the submitted settings. Drops values that the plan lacks or that the caller may not set, and maps deprecated
 * names to the settings that replace them. An empty string is stored as null.
 */
export function readDeclaredSettings<D extends Declared>(
  ctx: Context,
  declared: D,
  input: Readonly<Record<string, unknown>>,
): DeclaredSettingValues<D> {
  const values: DeclaredSettingValues<Declared> = { record: {}, settings: {} };
  const put = (name: string, one: ContainerSetting, value: unknown) => {
    if (value === undefined || !isSettable(ctx, one.options)) return;
    const table = inRecord(one) ? values.record : values.settings;
    Object.assign(table, { [name]: value === '' ? null : value });
  };
  const all: Declared = declared;
  for (const [name, one] of Object.entries(all)) {
    if (isSetting(one) || input[name] === undefined) continue;
    const newer = all[one.replacedBy];
    if (newer && isSetting(newer)) put(one.replacedBy, newer, one.read(input[name]));
  }
  for (const [name, one] of settingEntries(all)) put(name, one, input[name]);
  return values as DeclaredSettingValues<D>;
}

/** Problems of the submitted values, by parameter. */
export function declaredProblems(declared: Declared, values: Readonly<Record<string, unknown>>): Problems {
  const found = settingEntries(declared).flatMap(([name, one]): [string, string[]][] => {
    const problem = values[name] === undefined ? null : one.problem(values[name]);
    return problem === null ? [] : [[name, [problem]]];
  });
  return Object.fromEntries(found);
}
