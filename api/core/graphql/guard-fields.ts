import { defaultFieldResolver, getNamedType, isCompositeType, isObjectType } from 'graphql';
import type { GraphQLField, GraphQLFieldResolver, GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import { answerInHand } from '../../../shared/core/bytes/answer-bytes.js';
import { InsufficientScope, Unauthenticated } from '../../../shared/core/values/errors.js';
import { GraphqlProblem, isHidden } from './errors.js';
import { isConnection, isList } from './nodes.js';
import type { GraphqlRequest } from './request.js';

type Resolve = GraphQLFieldResolver<unknown, GraphqlRequest>;

/** Scopes of which a token needs one for mutations; queries were checked when the token was (graphql.md section 1.4). */
const MUTATION_SCOPE = 'api';

function requireTime(request: GraphqlRequest, info: GraphQLResolveInfo): void {
  if (request.execution.time.over) throw new GraphqlProblem(`Timeout on ${info.parentType.name}.${info.fieldName}`);
}

/** A text shorter than this is not worth counting: a query has only so many fields. */
const COUNTED_FROM = 1024;

/** Counts the values of resolvers as they are produced: a query may request one field under many aliases. */
function countedText<T>(value: T): T {
  if (typeof value === 'string' && value.length >= COUNTED_FROM) answerInHand.getStore()?.takeValue(value.length);
  return value;
}

/** Queries do not reveal what is hidden from the caller: such a field is null, without an error. */
function guardQuery(resolve: Resolve): Resolve {
  return (root, args, request, info) => {
    requireTime(request, info);
    requireShortArguments(args);
    try {
      const result = resolve(root, args, request, info);
      if (!(result instanceof Promise)) return countedText(result);
      return request.execution.time.within(result).then(countedText, (error: unknown) => {
        // A timeout has its own error message.
        requireTime(request, info);
        return nullWhenHidden(error, request, info);
      });
    } catch (error) {
      return nullWhenHidden(error, request, info);
    }
  };
}

function nullWhenHidden(error: unknown, request: GraphqlRequest, info: GraphQLResolveInfo): null {
  if (!isHidden(error)) throw error;
  logDenial(error, request, info);
  return null;
}

function logDenial(error: unknown, { ctx }: GraphqlRequest, { parentType, fieldName }: GraphQLResolveInfo): void {
  const route = `${parentType.name}.${fieldName}`;
  const { requestId, ip } = ctx.origin;
  ctx.services.logDenial(error, { requestId, ip, route, status: 200, requiredRole: null });
}

/** Entries of a list that is an argument (graphql.md section 2); some operations allow fewer. */
const MAX_LIST_ITEMS = 100;

function requireShortArguments(args: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(args))
    if (Array.isArray(value) && value.length > MAX_LIST_ITEMS)
      throw new GraphqlProblem(`You cannot provide more than ${MAX_LIST_ITEMS} ${name}`);
}

/** A list counts for what it holds. */
function guardList(resolve: Resolve): Resolve {
  const counted = (list: unknown, { execution }: GraphqlRequest): unknown => {
    if (Array.isArray(list)) execution.list(list.length);
    return list;
  };
  return (root, args, request, info) => {
    const result = resolve(root, args, request, info);
    return result instanceof Promise ? result.then((list) => counted(list, request)) : counted(result, request);
  };
}

/**
 * Marks fields that are too expensive in lists: a field declared with `@Extensions(ONE_OBJECT)` may be requested for
 * one object per request (graphql.md section 2).
 */
export const ONE_OBJECT = { oneObject: true } as const;

function guardOneObject(resolve: Resolve): Resolve {
  return (root, args, request, info) => {
    const { name } = info.parentType;
    if (!request.isOnly(`${name}.${info.fieldName}`, root))
      throw new GraphqlProblem(`"${info.fieldName}" field can be requested only for 1 ${name}(s) at a time.`);
    return resolve(root, args, request, info);
  };
}

/** Mutations need a signed-in caller and, from a token, the scope that may write. */
function guardMutation(resolve: Resolve): Resolve {
  return (root, args, request, info) => {
    requireTime(request, info);
    const { caller } = request.ctx;
    if (caller.anonymous) throw new Unauthenticated();
    if (caller.token && !caller.token.scopes.includes(MUTATION_SCOPE)) throw new InsufficientScope([MUTATION_SCOPE]);
    request.forget();
    const result: unknown = resolve(root, args, request, info);
    if (result instanceof Promise) result.catch((error: unknown) => logDenial(error, request, info));
    return result;
  };
}

const isListOfObjects = (field: GraphQLField<unknown, unknown>): boolean =>
  isList(field) && isCompositeType(getNamedType(field.type));

/** Wraps the resolvers of a schema, in place, with the rules that apply to every field. */
export function guardFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const guard = type === schema.getMutationType() ? guardMutation : guardQuery;
    for (const field of Object.values(type.getFields())) {
      // Fields without a resolver are already loaded, except the parts of a page, which are read when requested.
      if (!field.resolve && !isConnection(type)) continue;
      const resolved = (field.resolve ?? defaultFieldResolver) as Resolve;
      const own = field.extensions.oneObject === true ? guardOneObject(resolved) : resolved;
      field.resolve = guard(isListOfObjects(field) ? guardList(own) : own) as typeof field.resolve;
    }
  }
}
