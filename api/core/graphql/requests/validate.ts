import { Kind, OverlappingFieldsCanBeMergedRule, specifiedRules, validate, visit } from 'graphql';
import type {
  ASTNode,
  ASTVisitor,
  DocumentNode,
  GraphQLError,
  GraphQLFormattedError,
  GraphQLSchema,
  ValidationContext,
  ValidationRule,
} from 'graphql';
import { describe } from './validation-texts.js';

/** graphql.md section 2. */
const MAX_ERRORS = 5;
const MAX_MS = 200;
/** Fields written in a document; a full introspection has about a hundred. */
const MAX_FIELDS = 600;

/** The error for a query whose validation takes too long. */
export const VALIDATION_TIMEOUT = 'Timeout on validation of query';

class TookTooLong extends Error {}

/** Microseconds of work by this thread: a busy machine must not turn good queries away. */
function worked(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

const CHECK_EVERY = 50;

function withinTime(): ValidationRule {
  const deadline = worked() + MAX_MS * 1000;
  let nodes = 0;
  return () => ({
    enter() {
      nodes += 1;
      if (nodes % CHECK_EVERY === 0 && worked() > deadline) throw new TookTooLong();
    },
  });
}

/** The path of a node: `["query", "project", "foo"]`; named operations and fragments include their names. */
function pathTo(document: DocumentNode, target: ASTNode): string[] {
  const path: string[] = [];
  let found: string[] = [];
  const step = (node: ASTNode): string | null => {
    if (node.kind === Kind.FIELD) return node.alias?.value ?? node.name.value;
    if (node.kind === Kind.ARGUMENT) return node.name.value;
    if (node.kind === Kind.FRAGMENT_DEFINITION) return `fragment ${node.name.value}`;
    if (node.kind === Kind.OPERATION_DEFINITION)
      return node.name ? `${node.operation} ${node.name.value}` : node.operation;
    return null;
  };
  visit(document, {
    enter(node) {
      const name = step(node);
      if (name !== null) path.push(name);
      if (node === target) found = [...path];
    },
    leave(node) {
      if (step(node) !== null) path.pop();
    },
  });
  return found;
}

/** A rule whose errors are reported in the format of the public API. */
function translated(rule: ValidationRule, found: GraphQLFormattedError[]): ValidationRule {
  return (context: ValidationContext): ASTVisitor => {
    // The rule sees the context; only what it reports goes another way.
    const listening = Object.create(context, {
      reportError: {
        value(error: GraphQLError) {
          const node = error.nodes?.[0];
          found.push({
            message: error.message,
            ...(error.locations ? { locations: error.locations } : {}),
            ...(node ? { path: pathTo(context.getDocument(), node) } : {}),
            ...describe(rule, error, context),
          });
          // Ends the validation once the limit is reached.
          context.reportError(error);
        },
      },
    }) as ValidationContext;
    return rule(listening);
  };
}

function check(schema: GraphQLSchema, document: DocumentNode, rules: readonly ValidationRule[]) {
  const found: GraphQLFormattedError[] = [];
  try {
    validate(schema, document, [withinTime(), ...rules.map((rule) => translated(rule, found))], {
      maxErrors: MAX_ERRORS,
    });
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    return [{ message: VALIDATION_TIMEOUT }];
  }
  return found.slice(0, MAX_ERRORS);
}

const cheapRules = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);

/** The validation errors of a document, with the messages of the public API; at most five. */
export function validationErrors(schema: GraphQLSchema, document: DocumentNode): GraphQLFormattedError[] {
  return check(schema, document, cheapRules);
}

function fieldsIn(document: DocumentNode): number {
  let count = 0;
  visit(document, {
    Field() {
      count += 1;
    },
  });
  return count;
}

/**
 * Fields that share a response name but cannot be merged. The cost grows with the square of the fields, so only
 * documents within the complexity limit are checked; introspection, which the complexity ignores, is counted here.
 */
export function conflictErrors(schema: GraphQLSchema, document: DocumentNode): GraphQLFormattedError[] {
  if (fieldsIn(document) > MAX_FIELDS) return [{ message: `Query has more than ${MAX_FIELDS} fields` }];
  return check(schema, document, [OverlappingFieldsCanBeMergedRule]);
}
