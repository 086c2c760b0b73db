import { LRUCache } from 'lru-cache';
import type { BasicCredential, BasicReader, Credential } from '../../core/context/token-source.js';
import { ANONYMOUS, UserCaller } from '../../core/context/callers.js';
import type { Caller } from '../../core/context/callers.js';
import { Context } from '../../core/context/context.js';
import type { Origin, Services } from '../../core/context/context.js';
import { Forbidden, Unauthenticated } from '../../core/values/errors.js';
import { checkPassword, findAccount } from '../user-sessions/check-password.js';
import type { Account } from '../user-sessions/check-password.js';

/** Maximum length; longer values cannot be valid. */
const USERNAME_CHARACTERS = 255;
const PASSWORD_CHARACTERS = 1024;
/** For so long a password that was right is not hashed again, which would take a core for a good part of a second. */
const REMEMBER_MS = 10 * 60_000;
const REMEMBER_AT_MOST = 10_000;
/** Behind the prefix of an access token. */
const TOKEN_REST = /^[\w-]{20,}$/;

/** Finds tokens, whatever the user name that they are sent with. */
interface TokenFinder {
  authenticate(credential: Credential): Promise<Caller | null>;
}

/**
 * Finds the caller behind a user name and a secret, wherever they are sent as `Authorization: Basic`: an access token
 * under any user name, what domains know by both together, or a person's password. One for each process.
 */
export class BasicAuthenticator {
  /** Of account, stored hash and password, so that another password or hash is never found. */
  readonly #right = new LRUCache<string, true>({ max: REMEMBER_AT_MOST, ttl: REMEMBER_MS });

  constructor(
    private readonly services: Services,
    private readonly tokens: TokenFinder,
    private readonly readers: readonly BasicReader[],
  ) {}

  /**
   * @returns null if no user or token matches
   * @throws Unauthenticated (expired, revoked), Forbidden (blocked), RateLimited and Overloaded (passwords)
   */
  async authenticate(credential: BasicCredential, origin: Origin): Promise<Caller | null> {
    const { username, password } = credential;
    if (password === '' || password.length > PASSWORD_CHARACTERS) return null;
    if (username.length > USERNAME_CHARACTERS || username.includes('\0')) return null;
    const owner = await this.tokens.authenticate({ token: password, carrier: 'basic' });
    if (owner) return owner;
    const ctx = new Context(this.services, ANONYMOUS, origin);
    for (const read of this.readers) {
      const caller = await read(ctx, credential);
      if (caller) return caller;
    }
    return this.#isOneOfOurs(password) ? null : this.#byPassword(ctx, credential);
  }

  /** A token that is over must not use up the tries that its user has with the password. */
  #isOneOfOurs(password: string): boolean {
    const prefix = this.services.settings.current.personal_access_token_prefix;
    return prefix !== '' && password.startsWith(prefix) && TOKEN_REST.test(password.slice(prefix.length));
  }

  async #byPassword(ctx: Context, { username, password }: BasicCredential): Promise<UserCaller | null> {
    const login = username.trim();
    const account = login === '' ? null : await findAccount(ctx, login);
    if (account && this.#right.has(this.#keyOf(account, password))) {
      if (account.user.state !== 'active') throw new Forbidden('Your account has been blocked.');
      return new UserCaller(account.user);
    }
    try {
      const checked = await checkPassword(ctx, { login, password }, account);
      this.#right.set(this.#keyOf(checked, password), true);
      return new UserCaller(checked.user);
    } catch (error) {
      if (error instanceof Unauthenticated) return null;
      throw error;
    }
  }

  #keyOf({ user, password_digest }: Account, password: string): string {
    return this.services.keys.digest(`basic ${user.id} ${password_digest} ${password}`).toString('base64');
  }
}
