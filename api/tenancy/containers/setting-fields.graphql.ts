import { Field, Int } from 'type-graphql';
import { settingEntries } from '../../../shared/tenancy/namespaces/container-settings.js';
import type { Declared, ContainerSetting } from '../../../shared/tenancy/namespaces/container-settings.js';

/** Names a type as decorators take it. */
type FieldType = () => object;

const TYPES: Readonly<Record<string, FieldType>> = {
  boolean: () => Boolean,
  integer: () => Int,
  array: () => [String],
};

/** By the JSON type of its parameter, which may be null beside. */
function typeOf({ param }: ContainerSetting): FieldType {
  const [type] = [param.meta()?.type].flat();
  return TYPES[String(type)] ?? (() => String);
}

const camelCase = (key: string) => key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Declares a field of a GraphQL type for each setting that is one there too, null for those whom it is not shown to.
 * @param read what an object of the type answers for a setting
 * @param special the type of settings that are more there than in REST
 */
export function declareSettingFields<T extends object>(
  { prototype }: { prototype: T },
  declared: Declared,
  read: (object: T, name: string, one: ContainerSetting) => unknown,
  special: (name: string) => FieldType | undefined = () => undefined,
): void {
  for (const [name, one] of settingEntries(declared)) {
    const { graphql } = one.options;
    if (graphql === undefined) continue;
    const field = camelCase(name);
    Object.defineProperty(prototype, field, {
      get(this: T) {
        return read(this, name, one);
      },
    });
    const description = graphql === true ? one.docs : graphql;
    Field(special(name) ?? typeOf(one), { nullable: true, description })(prototype, field);
  }
}
