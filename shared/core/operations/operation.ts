import { z } from 'zod';
import type { Caller, PrincipalKind, Principals, UserCaller, UserOrAnonymous } from '../context/callers.js';
import type { Context } from '../context/context.js';
import type { CapstanError } from '../values/errors.js';
import { Forbidden } from '../values/errors.js';
import type { ContainerPaths } from '../values/job-context.js';
import type { LimitName } from '../rate-limits/limits.js';
import type { ParamRule } from './params.js';
import type { Rule } from './policy.js';
import type { Settings } from '../values/settings.js';

/**
 * The resource of an operation, found before the operation runs. Finding it includes the check that the caller may know
 * that it exists. `C` is the type of the callers that it can be found for.
 */
export interface Resource<T, in C extends Caller = UserOrAnonymous> {
  /** As in `404 Project Not Found`. */
  noun: string;
  /** The path parameters that name it. */
  params: z.ZodRawShape;
  /** @throws NotFound when absent or invisible */
  find(ctx: Context<C>, input: Record<string, unknown>): Promise<T>;
  /** The project or namespace that it is or belongs to, reported by the jobs sent for it. */
  about?(record: T): ContainerPaths;
}

/**
 * Which check comes first (rest-conventions.md section 3.4). `signed_in`: anonymous callers are 401 before
 * anything else. `administrator`: so are they, and everybody but administrators is 403; `auditor`: everybody but
 * administrators and auditors. `resource`: container and
 * ability before parameters. `signed_in_resource`: the same behind a credential. `open`: parameters, then the container.
 */
export type AuthenticationRequirement =
  | 'signed_in'
  | 'administrator'
  | 'auditor'
  | 'resource'
  | 'signed_in_resource'
  | 'open';

export type Plan = Settings['plan'];
export type Offering = Settings['offering'];

/** Who still meets a requirement, of users and anonymous callers. */
type Behind<G extends AuthenticationRequirement> = G extends 'signed_in' | 'signed_in_resource' | keyof typeof ADMITTED
  ? UserCaller
  : UserOrAnonymous;

/**
 * An operation that takes a file as a stream (decision 56). The file is stored before `run`, which gets it as a
 * `StoredFile`, and keeps it or not.
 */
export interface UploadRule<in S> {
  /** The parameter that holds it, declared with `storedFile()`. */
  readonly param: string;
  /** The kind of object that it is stored as. */
  readonly kind: string;
  /** Whether a body that is no form is the file itself, whatever its media type. */
  readonly raw?: boolean;
  /**
   * Maximum number of bytes of the file. Called once caller, scope, rate limit, resource and ability are checked and
   * before any of the file is read, so it may also reject the values of fields before the file.
   * @param input parameters received so far, not parsed
   */
  limit(ctx: Context<Caller>, resource: S, input: Readonly<Record<string, unknown>>): number | Promise<number>;
}

/**
 * A check of a write before its transaction (decision 70), or an action of another service that a rollback cannot undo:
 * it holds no row and no connection. Resource and ability are checked before it, and again in the transaction. When a
 * write is called within another transaction, the check runs there.
 */
export interface Precheck<in S, in I> {
  /** Whether the check applies to this caller now; if not, the resource is found only once. */
  applies(ctx: Context<Caller>): boolean;
  /** Done twice, it must do no harm. @throws what refuses the operation */
  check(ctx: Context<Caller>, resource: S, input: I): Promise<void>;
}

/** `C`: the type of its admitted callers. */
export interface Operation<
  S = unknown,
  P extends z.ZodRawShape = z.ZodRawShape,
  R = unknown,
  in C extends Caller = never,
> {
  /** A verb and a noun, as code has it: generated clients name their functions by it, so it never changes. */
  readonly name: string;
  readonly summary: string;
  readonly resource: Resource<S, C>;
  /** The right that the caller needs on the resource, checked after it is found. */
  readonly ability?: string;
  readonly rule?: Rule<S>;
  readonly authentication: AuthenticationRequirement;
  /**
   * Kinds of callers that it accepts in addition to users and anonymous ones; any other is rejected like an unknown
   * token.
   */
  readonly principals: readonly PrincipalKind[];
  readonly kind: 'read' | 'write';
  /** Scopes of which the token needs one. */
  readonly scopes: readonly string[];
  /** The minimum plan of the instance; checked once the resource is found, and rejected like a missing ability. */
  readonly plan?: Plan;
  /** Offerings that have it; to all others it does not exist. */
  readonly offerings?: readonly Offering[];
  /** The error for callers rejected by the plan or their role; 403 unless an area declares another. */
  readonly denial?: () => CapstanError;
  /** The rate limit that each attempt counts against, by caller, before parameters and resource are read. */
  readonly limit?: LimitName;
  /**
   * Gives out a new token for an old one. A revoked token that is sent with it was stolen or used twice: its whole
   * family is revoked.
   */
  readonly rotates?: boolean;
  /** Refuses parameters that are not declared; everywhere else they are ignored. */
  readonly strict?: boolean;
  /** The check before the transaction of a write. */
  readonly precheck?: Precheck<S, z.output<z.ZodObject<P>>>;
  /** Takes a file as a stream; then it is called by `invokeUpload`. */
  readonly upload?: UploadRule<S>;
  readonly params: z.ZodObject<P>;
  /** The resource's own parameters, and all others: parts of {@link params}, made once. */
  readonly resourceParams: z.ZodObject;
  readonly otherParams: z.ZodObject<P>;
  /** What parameters must be like together. */
  readonly rules: readonly ParamRule[];
  /** Whether the resource is a record that `If-Unmodified-Since` may keep from being deleted. */
  readonly conditional: boolean;
  /** SQL statements that a request may need at most, sign-in included; tests hold it to that. */
  readonly statements: number;
  /** Parameters beyond the required ones with which its description shows it called, or other values of those. */
  readonly example?: Readonly<Record<string, unknown>>;
  run(ctx: Context<C>, resource: S, input: z.output<z.ZodObject<P>>): Promise<R>;
}

type Declaration<S, P extends z.ZodRawShape, R, G extends AuthenticationRequirement, K extends PrincipalKind> = Omit<
  Operation<S, P, R, Behind<G> | Principals[K]>,
  | 'params'
  | 'resourceParams'
  | 'otherParams'
  | 'rules'
  | 'conditional'
  | 'scopes'
  | 'authentication'
  | 'principals'
  | 'statements'
  | 'ability'
  | 'rule'
  | 'resource'
> & {
  resource: Resource<S, Behind<G> | Principals[K]>;
  params?: P;
  rules?: readonly ParamRule[];
  conditional?: boolean;
  scopes?: readonly string[];
  authentication?: G;
  principals?: readonly K[];
  statements?: number;
  /** One ability of the resource's policy, by its name. */
  can?: { ability: string; rule: Rule<S> };
};

const isAdministrator = (caller: Caller): boolean => caller.kind === 'user' && caller.admin;

/** The callers that meet requirements beyond a credential. */
const ADMITTED = {
  administrator: isAdministrator,
  auditor: (caller: Caller): boolean => isAdministrator(caller) || (caller.kind === 'user' && caller.user.auditor),
};

/** Returns the check of a requirement beyond a credential; undefined for the other requirements. */
export const admittedBy = (
  authentication: AuthenticationRequirement | undefined,
): ((caller: Caller) => boolean) | undefined =>
  authentication === 'administrator' || authentication === 'auditor' ? ADMITTED[authentication] : undefined;

/** Scopes that reading and writing need where an operation names none. */
const SCOPES = { read: ['api', 'read_api'], write: ['api'] } as const;

/** Declares one action of callers. REST and GraphQL bind it, workers run it; its checks are declared once, here. */
export function operation<
  S,
  const P extends z.ZodRawShape,
  R,
  const G extends AuthenticationRequirement = 'signed_in',
  const K extends PrincipalKind = never,
>(declaration: Declaration<S, P, R, G, K>): Operation<S, P, R, Behind<G> | Principals[K]> {
  const { can, ...rest } = declaration;
  return {
    ...rest,
    ability: can?.ability,
    rule: can?.rule ?? admittedBy(declaration.authentication),
    authentication: declaration.authentication ?? 'signed_in',
    principals: declaration.principals ?? [],
    scopes: declaration.scopes ?? SCOPES[declaration.kind],
    statements: declaration.statements ?? (declaration.kind === 'read' ? 6 : 16),
    // Path parameters first, so that their errors come first.
    params: z.object({ ...declaration.resource.params, ...declaration.params }) as z.ZodObject<P>,
    resourceParams: z.object(declaration.resource.params),
    otherParams: z.object(declaration.params ?? {}) as z.ZodObject<P>,
    rules: declaration.rules ?? [],
    conditional: declaration.conditional ?? false,
  };
}

/** The operation without its precheck: for callers that have already checked the larger operation it is part of. */
export const prechecked = <O extends { readonly precheck?: unknown }>(declared: O): O => ({
  ...declared,
  precheck: undefined,
});

/** Names one ability of a policy for an operation: `can(projectPolicy, 'admin_project')`. */
export function can<S, A extends string>(rules: Record<A, Rule<S>>, ability: A) {
  return { ability, rule: rules[ability] as Rule<S> };
}

/** @throws Forbidden when the caller may not do it */
export function authorize<S, A extends string>(
  ctx: Context<Caller>,
  rules: Record<A, Rule<S>>,
  ability: A,
  record: S,
): void {
  if (!(rules[ability] as Rule<S>)(ctx.caller, record)) throw new Forbidden();
}

/** The whole service, for operations that act on nothing in particular. */
export const instance: Resource<null, Caller> = {
  noun: 'Instance',
  params: {},
  find: () => Promise.resolve(null),
};
