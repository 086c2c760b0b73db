import type { z } from 'zod';
import { isPrincipal, getScopes } from '../context/callers.js';
import type { Caller } from '../context/callers.js';
import type { Context } from '../context/context.js';
import { Forbidden, InsufficientScope, NotFound, Unauthenticated } from '../values/errors.js';
import { admittedBy } from './operation.js';
import type { Operation } from './operation.js';
import { parseParams, rejectUnknown } from './params.js';
import { requireUnmodified } from './precondition.js';
import { countAction } from './limit-actions.js';
import { recordDenial } from './denials.js';

/** The requirements for a caller that are checked before any parameter. */
type Asks = Pick<Operation, 'principals' | 'offerings' | 'scopes' | 'authentication'>;

/** @throws InsufficientScope; sessions and anonymous callers have no scopes to check */
function requireScope(ctx: Context<Caller>, asks: Asks) {
  const held = getScopes(ctx.caller);
  if (held && !asks.scopes.some((scope) => held.includes(scope)))
    throw recordDenial(ctx, asks, 'scope', new InsufficientScope(asks.scopes));
}

/** Whether anonymous callers are refused before anything else. */
export function needsCredential({ authentication }: Pick<Asks, 'authentication'>): boolean {
  return (
    authentication === 'signed_in' ||
    authentication === 'signed_in_resource' ||
    admittedBy(authentication) !== undefined
  );
}

function requireAuthentication(ctx: Context<Caller>, asks: Asks) {
  if (!needsCredential(asks)) return;
  if (ctx.caller.kind === 'anonymous') throw recordDenial(ctx, asks, 'gate', new Unauthenticated());
  if (admittedBy(asks.authentication)?.(ctx.caller) === false) throw recordDenial(ctx, asks, 'gate', new Forbidden());
}

/** An operation that the offering does not include behaves like one that does not exist. @throws NotFound */
export function requireOffering(ctx: Context<Caller>, asks: Pick<Operation, 'offerings'>) {
  if (asks.offerings && !asks.offerings.includes(ctx.settings.offering))
    throw recordDenial(ctx, asks, 'offering', NotFound.unspecified());
}

/** @throws Forbidden, or the operation's own refusal, when the plan or the caller's rights do not cover it */
function requireRight<S>(ctx: Context<Caller>, operation: Operation<S, never, unknown>, resource: S) {
  const lacking = operation.plan !== undefined && !ctx.hasPlan(operation.plan);
  if (lacking || (operation.rule && !operation.rule(ctx.caller, resource)))
    throw recordDenial(ctx, operation, lacking ? 'plan' : 'ability', operation.denial?.() ?? new Forbidden(), resource);
}

/** To an operation that does not declare its kind, a caller that is no user has an unknown token. @throws Unauthenticated */
function requirePrincipal(ctx: Context<Caller>, asks: Asks) {
  if (isPrincipal(ctx.caller) && !asks.principals.includes(ctx.caller.kind))
    throw recordDenial(ctx, asks, 'principal', new Unauthenticated('unknown'));
}

/**
 * A caller admitted by an operation: its kind, offering, scope and authentication are checked. Created by {@link admit}
 * only.
 */
export interface Admission<
  S = unknown,
  P extends z.ZodRawShape = z.ZodRawShape,
  R = unknown,
  C extends Caller = Caller,
> {
  readonly ctx: Context<C>;
  readonly operation: Operation<S, P, R>;
}

/**
 * Checks an operation's requirements for its caller before reading any parameter: kind, offering, scope and
 * authentication.
 * @throws NotFound, InsufficientScope, Unauthenticated, Forbidden
 */
export function admit<S, P extends z.ZodRawShape, R, C extends Caller>(
  ctx: Context<C>,
  operation: Operation<S, P, R>,
): Admission<S, P, R, C> {
  requirePrincipal(ctx, operation);
  requireOffering(ctx, operation);
  requireScope(ctx, operation);
  requireAuthentication(ctx, operation);
  return { ctx, operation };
}

async function found<S>(ctx: Context<Caller>, operation: unknown, find: () => Promise<S>): Promise<S> {
  try {
    return await find();
  } catch (error) {
    throw recordDenial(ctx, operation, 'subject', error);
  }
}

/**
 * Finds the resource of an operation, and checks whether the caller may perform the operation on it.
 * @throws NotFound, Forbidden or the operation's own denial, PreconditionFailed
 */
export async function admittedResource<S>(
  ctx: Context<Caller>,
  operation: Operation<S, never, unknown>,
  find: () => Promise<S>,
): Promise<S> {
  const resource = await found(ctx, operation, find);
  requireRight(ctx, operation, resource);
  if (operation.conditional) requireUnmodified(ctx, resource as never);
  ctx.doing(operation.name, operation.resource.about?.(resource));
  return resource;
}

/**
 * Runs an operation for a caller. Checks kind, offering, scope, authentication, rate limit, parameters, resource, plan
 * and ability, in the order set by the authentication requirement, then the operation's prechecks, and then does the
 * work. A write runs in one transaction and finds its resource inside it.
 * @param raw merged parameters as received
 * @param find finds the resource in another way than by path parameters (GraphQL's global ids)
 */
export async function invoke<S, P extends z.ZodRawShape, R, C extends Caller>(
  ctx: Context<C>,
  operation: Operation<S, P, R>,
  raw: Record<string, unknown>,
  find?: (ctx: Context<C>) => Promise<S>,
): Promise<R> {
  return (await invokeAdmitted(admit(ctx, operation), raw, find)).result;
}

/**
 * Like {@link invoke}, with further work in the same transaction if the operation is a write.
 * @param then receives the result of the operation
 */
export async function invokeThen<S, P extends z.ZodRawShape, R, C extends Caller, T>(
  ctx: Context<C>,
  operation: Operation<S, P, R>,
  raw: Record<string, unknown>,
  find: ((ctx: Context<C>) => Promise<S>) | undefined,
  then: (result: R) => Promise<T>,
): Promise<T> {
  return (await run(admit(ctx, operation), raw, find, then)).result;
}

/**
 * Like {@link invoke} for a caller already admitted. Also returns the parsed parameters, which determine the view of
 * the result.
 */
export function invokeAdmitted<S, P extends z.ZodRawShape, R, C extends Caller>(
  admission: Admission<S, P, R, C>,
  raw: Record<string, unknown>,
  find?: (ctx: Context<C>) => Promise<S>,
): Promise<Invoked<R>> {
  return run(admission, raw, find, (result) => Promise.resolve(result));
}

/** The result of an operation, with its parsed parameters. */
export interface Invoked<R> {
  result: R;
  input: Record<string, unknown>;
}

async function run<S, P extends z.ZodRawShape, R, C extends Caller, T>(
  { ctx, operation }: Admission<S, P, R, C>,
  raw: Record<string, unknown>,
  find: ((ctx: Context<C>) => Promise<S>) | undefined,
  then: (result: R) => Promise<T>,
): Promise<Invoked<T>> {
  // Callers of unaccepted kinds were not admitted.
  const admitted = ctx as Context<never>;
  if (operation.limit) await countAction(ctx, operation.limit);
  if (operation.strict) rejectUnknown(operation.params, raw);
  const findResource = (params: Record<string, unknown>): Promise<S> =>
    admittedResource(ctx, operation as never, () => (find ? find(ctx) : operation.resource.find(admitted, params)));
  const schema = find ? operation.otherParams : operation.params;
  const validate = () => parseParams(schema, raw, operation.rules);
  // What comes first is for the authentication requirement to say (rest-conventions.md section 3.4).
  const prepare = async (): Promise<{ resource: S; input: Record<string, unknown> }> => {
    if (operation.authentication === 'resource' || operation.authentication === 'signed_in_resource') {
      const resource = await findResource(find ? {} : parseParams(operation.resourceParams, raw));
      return { resource, input: validate() };
    }
    const input = validate();
    return { resource: await findResource(input), input };
  };
  const work = async () => {
    const { resource, input } = await prepare();
    try {
      return { result: await then(await operation.run(admitted, resource, input as never)), input };
    } catch (error) {
      throw recordDenial(ctx, operation, 'operation', error, resource);
    }
  };
  if (operation.kind === 'read') return work();
  if (operation.precheck?.applies(ctx)) {
    const { resource, input } = await prepare();
    await operation.precheck.check(ctx, resource, input as never);
  }
  return ctx.transaction(work);
}
