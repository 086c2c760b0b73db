import type { z } from 'zod';
import { isPrincipal, scopesOf } from '../context/callers.js';
import type { Caller } from '../context/callers.js';
import type { Context } from '../context/context.js';
import { Forbidden, InsufficientScope, NotFound, Unauthenticated } from '../values/errors.js';
import { admittedBy } from './operation.js';
import type { Operation } from './operation.js';
import { parseParams, rejectUnknown } from './params.js';
import { requireUnmodified } from './precondition.js';
import { countAction } from './limit-actions.js';
import { recordDenial } from './denials.js';

/** What is asked of a caller before any parameter. */
type Asks = Pick<Operation, 'principals' | 'offerings' | 'scopes' | 'authentication'>;

/** @throws InsufficientScope; sessions and anonymous callers have no scopes to check */
function requireScope(ctx: Context<Caller>, asks: Asks) {
  const held = scopesOf(ctx.caller);
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

/** An operation that the offering lacks is as absent as one that nobody wrote. @throws NotFound */
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

/** A caller whom an operation admits: its kind, offering, scope and authentication are checked. Made by {@link admit} alone. */
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
 * What an operation asks of its caller before it looks at any parameter: kind, offering, scope and authentication.
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
 * Finds what an operation acts on, and asks whether the caller may do it there.
 * @throws NotFound, Forbidden or the operation's own refusal, PreconditionFailed
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
 * Runs an operation for a caller: kind, offering, scope, authentication, rate limit, parameters, resource, plan and ability, then
 * what is checked before a transaction, then the work, in the order that its authentication requirement says. A write runs in one
 * transaction, its resource found inside it.
 * @param raw merged parameters as they came
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
 * The same, and more in the same transaction, where the operation is a write.
 * @param then gets what the operation gave
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
 * The same for a caller who is admitted already, with the parameters as they were understood: they say in which view
 * the result is shown.
 */
export function invokeAdmitted<S, P extends z.ZodRawShape, R, C extends Caller>(
  admission: Admission<S, P, R, C>,
  raw: Record<string, unknown>,
  find?: (ctx: Context<C>) => Promise<S>,
): Promise<Invoked<R>> {
  return run(admission, raw, find, (result) => Promise.resolve(result));
}

/** What an operation gave, with its parameters as they were understood. */
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
  // Whom it does not take was not admitted.
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
