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

/** Objects that one response may hold, including all queries of a batch (decisions/0029-graphql-nodes.md). */
export const MAX_NODES = 10_000;
/** Objects of the schema itself, which are in memory and cost a look each. */
export const MAX_INTROSPECTED = 50_000;

/** Arguments that list records: a connection has at most that many records. */
const NAMING = ['ids', 'iids', 'fullPaths', 'usernames'];

type Fields = GraphQLField<unknown, unknown>;

/**
 * Assumed size of a list or connection that belongs to one record and is nearly always short: variables, attributes.
 * Declared by its field as `@Extensions(SHORT)`; longer ones are counted when they are loaded.
 */
export const SHORT = { most: 10 } as const;

/** The maximum size that a field declares; null without a declaration. */
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

/** The maximum nodes of a page, by the arguments of its field. */
function getPage(args: Record<string, unknown>): number {
  const sizes = [args.first, args.last].filter((size): size is number => typeof size === 'number');
  const lists = NAMING.map((name) => args[name]).filter(Array.isArray);
  return Math.max(Math.min(MAX_PAGE, ...sizes, ...lists.map((list) => list.length)), 0);
}

/** The objects that an operation may produce: objects of records, and objects of the schema. */
export interface NodeCount {
  nodes: number;
  introspected: number;
}

/** Counts the objects that the fields of one operation may produce, from page sizes alone: no data is read for it. */
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

  /** Objects below one object of a type. @param page the nodes of the page, if the type is a connection */
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
    return Math.min(getPage(getArgumentValues(field, node, this.#variables)), declaredMost(field) ?? MAX_PAGE);
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
      // Nodes and edges are the content of the page; its page information is no record.
      if (!isList(field)) return 0;
      return page * (1 + this.of(node.selectionSet, type));
    }
    // The edge is already counted, as the slot of its node.
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

/** The error for a query, or a whole batch, that may produce too many objects; null for all others. */
export function tooMany({ nodes, introspected }: NodeCount): { message: string } | null {
  if (nodes > MAX_NODES) return { message: `Query has ${nodes} nodes, which exceeds max nodes of ${MAX_NODES}` };
  if (introspected > MAX_INTROSPECTED)
    return { message: `Query has ${introspected} schema nodes, which exceeds max schema nodes of ${MAX_INTROSPECTED}` };
  return null;
}
