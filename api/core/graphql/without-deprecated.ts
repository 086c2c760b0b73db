import {
  GraphQLDirective,
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLUnionType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedDirective,
  isUnionType,
} from 'graphql';
import type {
  GraphQLArgumentConfig,
  GraphQLFieldConfig,
  GraphQLFieldConfigArgumentMap,
  GraphQLNamedType,
  GraphQLType,
} from 'graphql';

/**
 * A schema as it will be once everything deprecated is gone: fields, arguments, input fields and enum values
 * (graphql.md section 1.5). Requests with `remove_deprecated=true` are answered by it.
 */
export function withoutDeprecated(schema: GraphQLSchema): GraphQLSchema {
  const types = new Map<string, GraphQLNamedType>();
  const copies = new Copies(types);
  for (const type of Object.values(schema.getTypeMap())) types.set(type.name, copies.type(type));
  const config = schema.toConfig();
  return new GraphQLSchema({
    ...config,
    types: [...types.values()],
    query: copies.replaceMaybe(config.query),
    mutation: copies.replaceMaybe(config.mutation),
    subscription: copies.replaceMaybe(config.subscription),
    directives: config.directives.map((directive) => {
      if (isSpecifiedDirective(directive)) return directive;
      const own = directive.toConfig();
      return new GraphQLDirective({ ...own, args: copies.args(own.args) });
    }),
  });
}

type Deprecatable = { deprecationReason?: string | null | undefined };

function kept<V extends Deprecatable, R>(items: Record<string, V>, change: (item: V) => R): Record<string, R> {
  const entries = Object.entries(items).filter(([, item]) => typeof item.deprecationReason !== 'string');
  return Object.fromEntries(entries.map(([name, item]) => [name, change(item)]));
}

/** Types refer to each other, so each copy must name the copies of the others. */
class Copies {
  constructor(private readonly types: ReadonlyMap<string, GraphQLNamedType>) {}

  replace<T extends GraphQLType>(type: T): T {
    if (isListType(type)) return new GraphQLList(this.replace(type.ofType as GraphQLType)) as unknown as T;
    if (isNonNullType(type)) return new GraphQLNonNull(this.replace(type.ofType as never)) as unknown as T;
    return (this.types.get((type as GraphQLNamedType).name) ?? type) as T;
  }

  replaceMaybe<T extends GraphQLType>(type: T | null | undefined): T | null | undefined {
    return type ? this.replace(type) : type;
  }

  args(args: GraphQLFieldConfigArgumentMap): GraphQLFieldConfigArgumentMap {
    return kept(args, (arg: GraphQLArgumentConfig) => ({ ...arg, type: this.replace(arg.type) }));
  }

  fields(fields: Record<string, GraphQLFieldConfig<unknown, unknown>>) {
    return kept(fields, (field) => ({
      ...field,
      type: this.replace(field.type),
      ...(field.args ? { args: this.args(field.args) } : {}),
    }));
  }

  type(type: GraphQLNamedType): GraphQLNamedType {
    if (isIntrospectionType(type)) return type;
    if (isObjectType(type)) {
      const config = type.toConfig();
      return new GraphQLObjectType({
        ...config,
        interfaces: () => config.interfaces.map((each) => this.replace(each)),
        fields: () => this.fields(config.fields),
      });
    }
    if (isInterfaceType(type)) {
      const config = type.toConfig();
      return new GraphQLInterfaceType({
        ...config,
        interfaces: () => config.interfaces.map((each) => this.replace(each)),
        fields: () => this.fields(config.fields),
      });
    }
    if (isUnionType(type)) {
      const config = type.toConfig();
      return new GraphQLUnionType({ ...config, types: () => config.types.map((each) => this.replace(each)) });
    }
    if (isInputObjectType(type)) {
      const config = type.toConfig();
      const fields = () => kept(config.fields, (field) => ({ ...field, type: this.replace(field.type) }));
      return new GraphQLInputObjectType({ ...config, fields });
    }
    if (isEnumType(type)) {
      const config = type.toConfig();
      return new GraphQLEnumType({ ...config, values: kept(config.values, (value) => value) });
    }
    return type;
  }
}
