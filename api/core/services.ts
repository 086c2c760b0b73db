import type { BasicCredential, Credential } from '../../shared/core/context/token-source.js';
import type { Caller, UserCaller } from '../../shared/core/context/callers.js';
import type { Context, Origin, Services } from '../../shared/core/context/context.js';
import type { Channels } from '../../shared/core/database/channels.js';
import type { ChangeFeed } from '../../shared/core/page-changes/change-feed.js';
import type { Lifecycle } from './server/lifecycle.js';
import type { Traffic } from './traffic.js';

/** How the API identifies callers. */
interface Authentication {
  tokens: {
    /**
     * @param rotation where the request came from, when it is to rotate the token that it is sent with
     * @throws Unauthenticated, Forbidden
     */
    authenticate(credential: Credential, rotation?: Origin): Promise<Caller | null>;
  };
  sessions: {
    /** @returns null where the session is over, or its user may not sign in any more */
    authenticate(secret: string): Promise<UserCaller | null>;
    /** Whether `token` is the CSRF token of the session. */
    isCsrfToken(secret: string, token: string): boolean;
  };
  basic: {
    /**
     * @returns null if no user has this credential
     * @throws Unauthenticated, Forbidden, RateLimited, Overloaded
     */
    authenticate(credential: BasicCredential, origin: Origin): Promise<Caller | null>;
  };
  /** Of deploy tokens that are sent without a user name. */
  deployTokens: {
    /** @returns null if the token does not exist */
    authenticate(token: string): Promise<Caller | null>;
  };
  /** Lets an administrator act as another user. @throws Unauthenticated, Forbidden, InsufficientScope, NotFound */
  actAs(caller: Caller, who: string): Promise<UserCaller>;
}

/** The services of the API process, in addition to those of every process. */
export interface ApiServices extends Services, Authentication {
  traffic: Traffic;
  lifecycle: Lifecycle;
  /** Hears what other processes notify. */
  channels: Channels;
  /** Notifies open pages of changes. */
  changes: ChangeFeed;
  /** Hint for an unencoded path of a project or group; null if no such project or group exists. */
  hintOfPath(ctx: Context, kind: 'projects' | 'groups', names: readonly string[]): Promise<string | null>;
  /** Whether the caller may know that a full path names a project, a group, or any of these or a user. */
  knowsPath(ctx: Context, kind: 'project' | 'group' | 'any', path: string): Promise<boolean>;
}
