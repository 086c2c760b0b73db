import { Field, Int } from 'type-graphql';
import { settingEntries, settingType } from '../../../shared/tenancy/namespaces/declared-settings.js';
import type { Declared, ContainerSetting } from '../../../shared/tenancy/namespaces/declared-settings.js';

/** Names a type as decorators take it. */
type FieldType = () => object;

/** The type of settings that are more in GraphQL than in REST. */
type SpecialTypes = (name: string) => FieldType | undefined;

const noSpecial: SpecialTypes = () => undefined;

const TYPES: Readonly<Record<string, FieldType>> = {
  boolean: () => Boolean,
  integer: () => Int,
  array: () => [String],
};

const getType = (one: ContainerSetting): FieldType => TYPES[settingType(one)] ?? (() => String);

const camelCase = (key: string) => key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Settings that are in GraphQL too, with the names of their fields. */
const getFields = (declared: Declared) =>
  settingEntries(declared)
    .filter(([, { options }]) => options.graphql !== undefined)
    .map(([name, one]) => ({ name, one, field: camelCase(name) }));

/**
 * Declares a field of a GraphQL type for each setting that GraphQL exposes; null for callers without access to it.
 * @param read returns the value of a setting for an object of the type
 * @param visibleToAll whether all callers see all of them
 */
export function declareSettingFields<T extends object>(
  { prototype }: { prototype: T },
  declared: Declared,
  read: (object: T, name: string, one: ContainerSetting) => unknown,
  { special = noSpecial, visibleToAll = false }: { special?: SpecialTypes; visibleToAll?: boolean } = {},
): void {
  for (const { name, one, field } of getFields(declared)) {
    const { graphql } = one.options;
    Object.defineProperty(prototype, field, {
      get(this: T) {
        return read(this, name, one);
      },
    });
    const description = typeof graphql === 'string' ? graphql : one.docs;
    const nullable = !visibleToAll || one.initial === null;
    Field(special(name) ?? getType(one), { nullable, description })(prototype, field);
  }
}

/** Declares the same settings as fields of an input, each of which may be left out. */
export function declareSettingInputs(
  { prototype }: { prototype: object },
  declared: Declared,
  special: SpecialTypes = noSpecial,
): void {
  for (const { name, one, field } of getFields(declared))
    Field(special(name) ?? getType(one), { nullable: true, description: one.docs })(prototype, field);
}

/** The values of such an input, under the names of the operation's parameters. */
export const settingInputs = (declared: Declared, input: object): Record<string, unknown> =>
  Object.fromEntries(
    getFields(declared).map(({ name, field }) => [name, (input as Readonly<Record<string, unknown>>)[field]]),
  );
