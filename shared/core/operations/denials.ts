import type { Caller } from '../context/callers.js';
import type { Context } from '../context/context.js';
import { Forbidden, InsufficientScope, NotFound, Unauthenticated } from '../values/errors.js';
import type { Operation } from './operation.js';

/**
 * Which check of an operation refused a request, in their order: whether it takes such a caller, whether the offering
 * has it, the token's scopes, who is admitted, whether the record is there to be seen, the plan, the right; then what
 * the operation itself looks at.
 */
type Check = 'principal' | 'offering' | 'scope' | 'gate' | 'subject' | 'plan' | 'ability' | 'operation';

/** Why a request was refused, without any value of it. */
export interface Denial {
  readonly caller: Caller;
  readonly operation: Operation;
  readonly check: Check;
  /** The caller's access level in the container, where a record was found that the caller may know of. */
  readonly access: number | null;
}

const denials = new WeakMap<object, Denial>();

const isDenial = (error: unknown): error is Error =>
  error instanceof NotFound ||
  error instanceof Forbidden ||
  error instanceof Unauthenticated ||
  error instanceof InsufficientScope;

/** The access level that came with a record, or with the container it is in. */
function accessOf(resource: unknown): number | null {
  if (typeof resource !== 'object' || resource === null) return null;
  const { access, project, group } = resource as Record<string, unknown>;
  return typeof access === 'number' ? access : project || group ? accessOf(project ?? group) : null;
}

/**
 * Keeps with an error why it was thrown, unless that is known: of several operations in one another the innermost says.
 * @returns the error
 */
export function recordDenial<E>(
  { caller }: Context<Caller>,
  operation: unknown,
  check: Check,
  error: E,
  resource?: unknown,
): E {
  if (isDenial(error) && !denials.has(error))
    denials.set(error, { caller, operation: operation as Operation, check, access: accessOf(resource) });
  return error;
}

/** Why an error was thrown; undefined where no operation's check threw it. */
export const findDenial = (error: unknown): Denial | undefined => (isDenial(error) ? denials.get(error) : undefined);
