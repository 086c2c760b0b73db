import { isObjectType } from 'graphql';
import type { GraphQLFieldResolver, GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import { InsufficientScope, Unauthenticated } from '../../../shared/core/errors.js';
import { GraphqlProblem, isHidden } from './errors.js';
import type { GraphqlRequest } from './request.js';

type Resolve = GraphQLFieldResolver<unknown, GraphqlRequest>;

/** Scopes of which a token needs one for mutations; queries were checked when the token was (graphql.md section 1.4). */
const MUTATION_SCOPE = 'api';

function requireTime(request: GraphqlRequest, info: GraphQLResolveInfo): void {
  if (performance.now() > request.deadline)
    throw new GraphqlProblem(`Timeout on ${info.parentType.name}.${info.fieldName}`);
}

function nullWhenHidden(error: unknown): null {
  if (isHidden(error)) return null;
  throw error;
}

/** Queries say nothing about what the caller may not see: it is null, without an error. */
function guardQuery(resolve: Resolve): Resolve {
  return (root, args, request, info) => {
    requireTime(request, info);
    try {
      const result = resolve(root, args, request, info);
      return result instanceof Promise ? result.catch(nullWhenHidden) : result;
    } catch (error) {
      return nullWhenHidden(error);
    }
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
    return resolve(root, args, request, info);
  };
}

/** Puts the rules that hold for every field around the resolvers of a schema, in place. */
export function guardFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const guard = type === schema.getMutationType() ? guardMutation : guardQuery;
    for (const field of Object.values(type.getFields()))
      if (field.resolve) field.resolve = guard(field.resolve as Resolve) as typeof field.resolve;
  }
}
