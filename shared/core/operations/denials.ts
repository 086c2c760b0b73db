import type { Caller } from '../context/callers.js';
import type { Context } from '../context/context.js';
import { Forbidden, InsufficientScope, NotFound, Unauthenticated } from '../values/errors.js';
import type { Operation } from './operation.js';

/**
 * The check of an operation that rejected a request, in order: whether it accepts this kind of caller, whether the
 * offering includes it, the token's scopes, the authentication requirement, whether the record is visible, the plan,
 * the ability; then the checks of the operation itself.
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
function getAccess(resource: unknown): number | null {
  if (typeof resource !== 'object' || resource === null) return null;
  const { access, project, group } = resource as Record<string, unknown>;
  return typeof access === 'number' ? access : project || group ? getAccess(project ?? group) : null;
}

/**
 * Attaches the reason of a rejection to an error, unless it has one: for nested operations, the innermost reason wins.
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
    denials.set(error, { caller, operation: operation as Operation, check, access: getAccess(resource) });
  return error;
}

/** Why an error was thrown; undefined where no operation's check threw it. */
export const findDenial = (error: unknown): Denial | undefined => (isDenial(error) ? denials.get(error) : undefined);
