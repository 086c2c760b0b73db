import { getClientNetwork } from '../values/client-network.js';

/** The user behind a request or a job, as far as rights need to know. */
export interface CallerUser {
  id: number;
  username: string;
  name: string;
  state: string;
  admin: boolean;
  /** Reads what administrators read of the instance's work, and changes nothing by it. */
  auditor: boolean;
  external: boolean;
  /** Whether this is the bot user of a project or group access token rather than a person. */
  bot: boolean;
  /** Id of the personal namespace. */
  namespace_id: number | null;
}

/**
 * Kinds of tokens, each in a table of its own: augmented by the domain that has the table (decision 11).
 * @public
 */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- augmented where they are declared
export interface TokenKinds {}

export type TokenKind = keyof TokenKinds & string;

/** The credential behind a request. Sessions have no scopes and pass every scope check. */
export interface CallerToken {
  kind: TokenKind;
  /** In the table of its kind. */
  id: number;
  scopes: readonly string[];
}

/** The signed-in browser behind a request. */
export interface CallerSession {
  id: number;
}

/** A user, with the token or session that authenticated the request; a job acts for a user without either. */
export class UserCaller {
  readonly kind = 'user';
  readonly anonymous = false;

  constructor(
    readonly user: CallerUser,
    readonly token: CallerToken | null = null,
    readonly session: CallerSession | null = null,
  ) {}

  get id(): number {
    return this.user.id;
  }

  get admin(): boolean {
    return this.user.admin;
  }
}

/** Who sends no credential, and the service itself. */
class AnonymousCaller {
  readonly kind = 'anonymous';
  readonly anonymous = true;
  readonly user = null;
  readonly token = null;
  readonly session = null;
  /** Matches no row. */
  readonly id = 0;
  readonly admin = false;
}

export const ANONYMOUS = new AnonymousCaller();

/**
 * Kinds of callers other than users and anonymous callers, by name. A domain with its own kind declares it here by
 * augmentation: `interface Principals { deploy_token: DeployTokenCaller }`.
 */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- augmented where they are declared
export interface Principals {}

export type PrincipalKind = Exclude<keyof Principals & string, 'user' | 'anonymous' | 'address'>;

/**
 * A separate caller without a user behind it: it has neither a role nor a namespace, and is not anonymous either. Only
 * operations that declare its kind accept it (decision 36).
 */
export interface Principal {
  readonly kind: PrincipalKind;
  /** Unique among callers of its kind. */
  readonly id: number;
  /** As audit events name it. */
  readonly name: string;
  readonly token: CallerToken;
  /** Refs that it fetches from the repositories that it may read, although they are hidden from all others. */
  readonly hiddenRefs?: readonly string[];
  /** What every policy answers for it: whether it may do this with that record. Refuse what you don't know. */
  may(ability: string, record: unknown): boolean;
}

/** The callers that everything accepts unless it declares otherwise. */
export type UserOrAnonymous = UserCaller | AnonymousCaller;

/** The caller of an operation. Policies take this, never a request. */
export type Caller = UserOrAnonymous | Principal;

/** Whether a caller is neither a user nor anonymous. */
export function isPrincipal(caller: Caller): caller is Principal {
  return caller.kind !== 'user' && caller.kind !== 'anonymous';
}

/** The caller as a user, or anonymous without one. */
export const getCaller = (user: CallerUser | null): UserOrAnonymous => (user ? new UserCaller(user) : ANONYMOUS);

/** The id of the user behind a caller; 0, which matches no row, where there is none. */
export const getUserId = (caller: Caller): number => (caller.kind === 'user' ? caller.id : 0);

/** The scopes of a caller; null where there is no token, which passes every check of scopes. */
export const getScopes = ({ token }: Caller): readonly string[] | null => token && token.scopes;

/**
 * The key for counts, shares and queueing: the caller by kind and id, an anonymous caller by the network of its
 * address.
 * @param ip the request's address
 */
export function countedAs(caller: Caller, ip: string | null): readonly [string, string | number] {
  return caller.kind === 'anonymous' ? ['address', getClientNetwork(ip)] : [caller.kind, caller.id];
}

/** The same in one word, as a key. */
export const countKey = (caller: Caller, ip: string | null): string => countedAs(caller, ip).join(' ');

/** How logs name a caller. */
export function loggedAs(caller: Caller): Record<string, string | number | undefined> {
  return isPrincipal(caller) ? { caller: `${caller.kind} ${caller.id}` } : { user_id: caller.user?.id };
}
