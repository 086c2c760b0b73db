import { GraphQLError, Kind, parse } from 'graphql';
import type { DocumentNode, GraphQLFormattedError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { computeComplexity } from '../costs.js';
import { documentTooDeep, textTooDeep } from '../levels.js';
import { measureNesting } from '../nesting.js';
import { withNewScalars } from '../old-ids.js';
import { isFuture } from '../schema.js';
import { countNodes, tooMany } from '../nodes.js';
import type { NodeCount } from '../nodes.js';
import { conflictErrors, VALIDATION_TIMEOUT, validationErrors } from './validate.js';
import { variableErrors } from './variables.js';

/** Characters of all remembered texts: a parsed document takes some fifty times its text. */
const MOST_CHARACTERS = 300_000;

type Documents = LRUCache<string, DocumentNode>;

const remembered = new WeakMap<GraphQLSchema, Documents>();

/**
 * Documents that are valid for a schema, by their text: clients send the same few repeatedly, and parsing and
 * validating a document takes longer than running it. Checks that depend on caller or variables run each time.
 */
export function documentCache(schema: GraphQLSchema): Documents {
  let documents = remembered.get(schema);
  if (!documents) {
    documents = new LRUCache({ maxSize: MOST_CHARACTERS, sizeCalculation: (_document, text) => text.length });
    remembered.set(schema, documents);
  }
  return documents;
}

/** One query or mutation as a client sent it. */
export interface Entry {
  query: string;
  operationName: string | null;
  variables: Record<string, unknown>;
}

/** Limits of one query of a caller (graphql.md section 2). */
interface QueryLimits {
  complexity: number;
  depth: number;
}

export const ANONYMOUS_LIMITS: QueryLimits = { complexity: 200, depth: 15 };
/** Administrators too: the interface document names no other number. */
export const SIGNED_IN_LIMITS: QueryLimits = { complexity: 250, depth: 20 };

export interface Prepared {
  entry: Entry;
  schema: GraphQLSchema;
  document: DocumentNode | null;
  operation: OperationDefinitionNode | null;
  score: number;
  /** The most that it may answer. */
  nodeCount: NodeCount;
  /** What checking it took. */
  checkSeconds: number;
  /** Not empty: nothing runs. */
  errors: GraphQLFormattedError[];
}

function parsed(query: string): DocumentNode | GraphQLFormattedError {
  if (query.trim() === '') return { message: 'No query string was present' };
  try {
    const document = parse(query);
    return documentTooDeep(document) ?? document;
  } catch (error) {
    if (error instanceof GraphQLError) return error.toJSON();
    throw error;
  }
}

function chosen(document: DocumentNode, name: string | null): OperationDefinitionNode | GraphQLFormattedError {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const found = name === null ? operations[0] : operations.find((operation) => operation.name?.value === name);
  if (name !== null && !found) return { message: `No operation named "${name}"` };
  if (!found || (name === null && operations.length > 1)) return { message: 'An operation name is required' };
  if (found.operation === 'subscription') return { message: 'Schema is not configured for subscriptions' };
  return found;
}

/** The error for a query that exceeds the complexity limit and is not run. */
export function tooComplex(score: number, limit: number): GraphQLFormattedError {
  return { message: `Query has complexity of ${score}, which exceeds max complexity of ${limit}` };
}

function limitErrors(document: DocumentNode, operation: OperationDefinitionNode, score: number, limits: QueryLimits) {
  const errors: GraphQLFormattedError[] = [];
  const { depth, recursive } = measureNesting(document, operation);
  if (score > limits.complexity) errors.push(tooComplex(score, limits.complexity));
  if (depth > limits.depth)
    errors.push({ message: `Query has depth of ${depth}, which exceeds max depth of ${limits.depth}` });
  if (Object.keys(recursive).length > 0) {
    const counts = JSON.stringify(recursive).replaceAll(':', '=>');
    errors.push({ message: `Recursive query - too many of fields '${counts}' detected in single branch of the query` });
  }
  return errors;
}

function scored(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode, entry: Entry) {
  try {
    return computeComplexity(schema, document, operation.name?.value, entry.variables);
  } catch (error) {
    if (error instanceof GraphQLError) return error.toJSON();
    throw error;
  }
}

/** The size of a query's response, or the reason why it cannot be computed. */
function measured(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode, entry: Entry) {
  try {
    return countNodes(schema, document, operation, entry.variables);
  } catch (error) {
    if (error instanceof GraphQLError) return error.toJSON();
    throw error;
  }
}

/** A query that nothing is known of yet. */
function unread(schema: GraphQLSchema, entry: Entry): Prepared {
  return {
    entry,
    schema,
    document: null,
    operation: null,
    score: 0,
    nodeCount: { nodes: 0, introspected: 0 },
    checkSeconds: 0,
    errors: [],
  };
}

/** A query that cannot be checked because the time is up. */
export function unchecked(schema: GraphQLSchema, entry: Entry): Prepared {
  return { ...unread(schema, entry), errors: [{ message: VALIDATION_TIMEOUT }] };
}

/** Parses and checks a query, up to the point where it may run. */
export function prepare(schema: GraphQLSchema, source: Entry, limits: QueryLimits): Prepared {
  const documents = documentCache(schema);
  const tooDeep = documents.has(source.query) ? null : textTooDeep(source.query);
  if (tooDeep) return { ...unread(schema, source), errors: [tooDeep] };
  const entry = isFuture(schema) ? source : { ...source, query: withNewScalars(source.query) };
  const prepared = unread(schema, entry);
  const stopped = (...errors: GraphQLFormattedError[]): Prepared => ({ ...prepared, errors });
  const cached = documents.get(entry.query);
  const document = cached ?? parsed(entry.query);
  if ('message' in document) return stopped(document);
  prepared.document = document;
  const operation = chosen(document, entry.operationName);
  if ('message' in operation) return stopped(operation);
  prepared.operation = operation;
  const invalid = cached ? [] : validationErrors(schema, document);
  if (invalid.length > 0) return stopped(...invalid);
  const unfit = variableErrors(schema, operation, entry.variables);
  if (unfit.length > 0) return stopped(...unfit);
  const score = scored(schema, document, operation, entry);
  if (typeof score !== 'number') return stopped(score);
  prepared.score = score;
  const beyond = limitErrors(document, operation, score, limits);
  if (beyond.length > 0) return stopped(...beyond);
  const conflicts = cached ? [] : conflictErrors(schema, document);
  if (conflicts.length > 0) return stopped(...conflicts);
  if (!cached) documents.set(entry.query, document);
  const answer = measured(schema, document, operation, entry);
  if ('message' in answer) return stopped(answer);
  prepared.nodeCount = answer;
  return stopped(...[tooMany(answer)].filter((error) => error !== null));
}
