import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { GraphQLSchema, isScalarType, lexicographicSortSchema, printSchema } from 'graphql';

/** Null takes it out of the schema, undefined leaves it as it is. */
const unlessDeprecated = ({ deprecationReason }: { deprecationReason?: string | null | undefined }) =>
  typeof deprecationReason === 'string' ? null : undefined;

/**
 * A schema as it will be once everything deprecated is gone: fields, arguments, input fields and enum values
 * (graphql.md section 1.5), and the old names of global ids (section 3.8). Requests with `remove_deprecated=true` are answered by it.
 */
export function withoutDeprecated(schema: GraphQLSchema): GraphQLSchema {
  const future = mapSchema(schema, {
    [MapperKind.FIELD]: unlessDeprecated,
    [MapperKind.ARGUMENT]: unlessDeprecated,
    [MapperKind.ENUM_VALUE]: unlessDeprecated,
    [MapperKind.SCALAR_TYPE]: ({ extensions }) => (isScalarType(extensions.future) ? extensions.future : undefined),
  });
  // Introspection lists types in this order.
  const types = Object.keys(schema.getTypeMap()).flatMap((name) => future.getType(name) ?? []);
  return new GraphQLSchema({ ...future.toConfig(), types, extensions: { ...future.extensions, future: true } });
}

/** Whether a schema is the variant without deprecated items. */
export const isFuture = ({ extensions }: GraphQLSchema): boolean => extensions.future === true;

/** A schema in the schema language, in an order that does not depend on the order of declarations. */
export function schemaText(schema: GraphQLSchema): string {
  return `# Written by \`npm run graphql:schema\`; a test compares it.\n\n${printSchema(lexicographicSortSchema(schema))}\n`;
}
