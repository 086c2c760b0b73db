import {
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  getVariableValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  typeFromAST,
} from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLNamedType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import { MAX_PAGE } from './costs.js';
import { introspectedBy } from './introspected.js';

/** Objects that one answer may hold, those of a batch together (decisions/0029-graphql-nodes.md). */
export const MAX_NODES = 10_000;
/** Objects of the schema itself, which are in memory and cost a look each. */
export const MAX_INTROSPECTED = 50_000;

/** Arguments that name records: a connection has no more of them than are named. */
const NAMING = ['ids', 'iids', 'fullPaths', 'usernames'];

type Fields = GraphQLField<unknown, unknown>;

/**
 * What a list or connection is taken to hold that belongs to one record and is nearly always short: variables,
 * attributes. Declared by its field as `@Extensions(SHORT)`; longer ones are counted when they are there.
 */
export const SHORT = { most: 10 } as const;

/** What a field declares to hold at most; null where it declares nothing. */
export function declaredMost({ extensions }: Pick<Fields, 'extensions'>): number | null {
  return typeof extensions.most === 'number' ? extensions.most : null;
}

/** Whether a type is a page of a connection. */
export function isConnection(type: GraphQLNamedType): boolean {
  return isObjectType(type) && 'pageInfo' in type.getFields() && 'edges' in type.getFields();
}

export function isList({ type }: Pick<Fields, 'type'>): boolean {
  return isListType(getNullableType(type));
}

/** The most nodes that a page may have, by what its field is given. */
function pageOf(args: Record<string, unknown>): number {
  const sizes = [args.first, args.last].filter((size): size is number => typeof size === 'number');
  const lists = NAMING.map((name) => args[name]).filter(Array.isArray);
  return Math.max(Math.min(MAX_PAGE, ...sizes, ...lists.map((list) => list.length)), 0);
}

/** What an operation may make: objects of records, and objects of the schema. */
export interface NodeCount {
  nodes: number;
  introspected: number;
}

/** Counts what the fields of one operation may make, told by page sizes alone: nothing is read for it. */
class Count {
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  /** By selection and type, so that a fragment is counted once however often it is spread. */
  readonly #counted = new Map<SelectionSetNode, Map<string, number>>();
  readonly #variables: Record<string, unknown>;
  introspected = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Record<string, unknown>,
  ) {
    for (const node of document.definitions)
      if (node.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(node.name.value, node);
    this.#variables = getVariableValues(schema, operation.variableDefinitions ?? [], variables).coerced ?? {};
  }

  /** Objects below one object of a type. @param page nodes that it has, where it is a page of a connection */
  of(selection: SelectionSetNode, type: GraphQLNamedType, page = 0): number {
    const key = `${type.name} ${page}`;
    const counts = this.#counted.get(selection) ?? new Map<string, number>();
    this.#counted.set(selection, counts);
    let count = counts.get(key);
    if (count === undefined) {
      count = 0;
      for (const node of selection.selections) {
        if (!this.#isIncluded(node)) continue;
        if (node.kind === Kind.FIELD) count += this.#field(node, type, page);
        else count += this.#fragment(node, type, page);
      }
      counts.set(key, count);
    }
    return count;
  }

  #isIncluded(node: SelectionSetNode['selections'][number]): boolean {
    const skip = getDirectiveValues(GraphQLSkipDirective, node, this.#variables);
    const include = getDirectiveValues(GraphQLIncludeDirective, node, this.#variables);
    return skip?.if !== true && include?.if !== false;
  }

  #pageOf(field: Fields, node: FieldNode): number {
    return Math.min(pageOf(getArgumentValues(field, node, this.#variables)), declaredMost(field) ?? MAX_PAGE);
  }

  #fragment(node: Exclude<SelectionSetNode['selections'][number], FieldNode>, type: GraphQLNamedType, page: number) {
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : this.#fragments.get(node.name.value);
    if (!fragment) return 0;
    const condition = fragment.typeCondition && typeFromAST(this.schema, fragment.typeCondition);
    return this.of(fragment.selectionSet, condition ?? type, page);
  }

  #field(node: FieldNode, parent: GraphQLNamedType, page: number): number {
    const name = node.name.value;
    if (name === '__schema' || name === '__type') {
      this.introspected += introspectedBy(this.schema, node, this.#fragments, this.#variables);
      return 0;
    }
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
    const type = field && getNamedType(field.type);
    if (!field || !node.selectionSet || !isCompositeType(type)) return 0;
    if (isConnection(parent)) {
      // Its nodes and edges are what it is made of; where the page lies is no record.
      if (!isList(field)) return 0;
      return page * (1 + this.of(node.selectionSet, type));
    }
    // An edge is counted already, as the place of its node.
    if (parent.name.endsWith('Edge') && name === 'node') return this.of(node.selectionSet, type);
    if (isList(field)) return (declaredMost(field) ?? MAX_PAGE) * (1 + this.of(node.selectionSet, type));
    const inner = isConnection(type) ? this.#pageOf(field, node) : 0;
    return 1 + this.of(node.selectionSet, type, inner);
  }
}

/**
 * The most objects that an operation may answer: for each field as many as the pages and lists above it may hold,
 * fragments and aliases included. @throws GraphQLError for arguments of the wrong type
 */
export function countNodes(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): NodeCount {
  const root = schema.getRootType(operation.operation);
  if (!root) return { nodes: 0, introspected: 0 };
  const count = new Count(schema, document, operation, variables);
  const nodes = count.of(operation.selectionSet, root);
  return { nodes, introspected: count.introspected };
}

/** What a query, or a whole batch, is told that may make too much; null for all others. */
export function tooMany({ nodes, introspected }: NodeCount): { message: string } | null {
  if (nodes > MAX_NODES) return { message: `Query has ${nodes} nodes, which exceeds max nodes of ${MAX_NODES}` };
  if (introspected > MAX_INTROSPECTED)
    return { message: `Query has ${introspected} schema nodes, which exceeds max schema nodes of ${MAX_INTROSPECTED}` };
  return null;
}
