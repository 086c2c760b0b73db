import { getArgumentValues, getNamedType, isObjectType, Kind, SchemaMetaFieldDef, TypeMetaFieldDef } from 'graphql';
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLObjectType,
  GraphQLResolveInfo,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql';

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** What each selection makes of each part of the schema; a part is an object that the schema keeps. */
const countsBySelection = new WeakMap<SelectionSetNode, Map<unknown, number>>();

/** The arguments that select a part of a list, set so that they select all of it. */
const ALL = { includeDeprecated: true };

class Introspection {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: Fragments,
  ) {}

  field(node: FieldNode, field: GraphQLField<unknown, unknown>, source: unknown, args: object): number {
    const type = getNamedType(field.type);
    if (!node.selectionSet || !isObjectType(type)) return 0;
    const info = { schema: this.schema } as GraphQLResolveInfo;
    const found: unknown = field.resolve?.(source, args as Record<string, unknown>, undefined, info) ?? null;
    if (found === null) return 0;
    let count = 0;
    for (const each of Array.isArray(found) ? (found as unknown[]) : [found])
      count += 1 + this.#of(node.selectionSet, type, each);
    return count;
  }

  #of(selection: SelectionSetNode, type: GraphQLObjectType, source: unknown): number {
    const counts = countsBySelection.get(selection) ?? new Map<unknown, number>();
    countsBySelection.set(selection, counts);
    let count = counts.get(source);
    if (count !== undefined) return count;
    count = 0;
    for (const node of selection.selections) {
      const field = node.kind === Kind.FIELD ? type.getFields()[node.name.value] : undefined;
      const within = node.kind === Kind.FRAGMENT_SPREAD ? this.fragments.get(node.name.value) : node;
      if (field && node.kind === Kind.FIELD) count += this.field(node, field, source, ALL);
      else if (node.kind !== Kind.FIELD && within?.selectionSet) count += this.#of(within.selectionSet, type, source);
    }
    counts.set(source, count);
    return count;
  }
}

/**
 * The number of schema objects that a field `__schema` or `__type` returns: exact, since all of it is in memory, but
 * including the parts that `@skip` and `includeDeprecated` leave out. Each selection visits each part of the schema
 * once, however often it is reached, and the count of a repeated document is cached.
 */
export function introspectedBy(
  schema: GraphQLSchema,
  node: FieldNode,
  fragments: Fragments,
  variables: Record<string, unknown>,
): number {
  const field = node.name.value === '__schema' ? SchemaMetaFieldDef : TypeMetaFieldDef;
  return new Introspection(schema, fragments).field(node, field, null, getArgumentValues(field, node, variables));
}
