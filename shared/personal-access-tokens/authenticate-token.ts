import type { CallerUser, Services } from '../core/context.js';
import { Caller } from '../core/context.js';
import { Forbidden, Unauthenticated } from '../core/errors.js';
import { sql } from '../core/sql.js';

/** A remembered token is asked for again after this long, so that no revocation is outlived by more than a second. */
const REMEMBER_MS = 900;
const REMEMBER_AT_MOST = 10_000;
/** `last_used_at` is written at most this often for a token. */
const LAST_USED_EVERY_MS = 60_000;

interface TokenRow {
  id: number;
  scopes: string[];
  revoked: boolean;
  expires_on: string | null;
  last_used_at: Date | null;
  user: CallerUser;
}

interface Remembered {
  row: TokenRow;
  until: number;
}

/** Finds the caller behind a token, and remembers it for under a second. One for each process. */
export class TokenAuthenticator {
  readonly #remembered = new Map<string, Remembered>();
  /** Counts {@link forget}: what was loaded before one is not remembered after it. */
  #generation = 0;

  constructor(private readonly services: Services) {
    services.forgetCallers = () => this.forget();
  }

  /** Forgets everything: called when this process changed a token or a user. */
  forget(): void {
    this.#generation += 1;
    this.#remembered.clear();
  }

  /**
   * @returns the caller, or null when no such token exists
   * @throws Unauthenticated (expired, revoked), Forbidden (user blocked): rest-conventions.md section 2
   */
  async authenticate(token: string): Promise<Caller | null> {
    const digest = this.services.keys.digest(token);
    const key = digest.toString('base64');
    const remembered = this.#remembered.get(key);
    const fresh = remembered && remembered.until > performance.now() ? remembered.row : null;
    const generation = this.#generation;
    const row = fresh ?? (await this.#load(digest));
    if (!row) return null;
    if (!fresh && generation === this.#generation) this.#remember(key, row);
    return this.#admit(row);
  }

  #admit(row: TokenRow): Caller {
    const today = this.services.clock.now().toISOString().slice(0, 10);
    if (row.expires_on !== null && row.expires_on <= today) throw new Unauthenticated('expired');
    if (row.revoked) throw new Unauthenticated('revoked');
    if (row.user.state !== 'active') throw new Forbidden('Your account has been blocked.');
    return new Caller(row.user, { id: row.id, scopes: row.scopes });
  }

  async #load(digest: Buffer): Promise<TokenRow | null> {
    const [row] = await this.services.db.query<TokenRow>(sql`
      select t.id, t.scopes, t.revoked, t.expires_on, t.last_used_at,
             u.id as "user.id", u.username as "user.username", u.name as "user.name", u.state as "user.state",
             u.admin as "user.admin", u.external as "user.external", n.id as "user.namespace_id"
        from personal_access_tokens t join users u on u.id = t.user_id
        left join namespaces n on n.owner_id = u.id
       where t.digest = ${digest}`);
    if (row) this.#noteUse(row);
    return row ?? null;
  }

  #remember(key: string, row: TokenRow) {
    if (this.#remembered.size >= REMEMBER_AT_MOST) this.#remembered.clear();
    this.#remembered.set(key, { row, until: performance.now() + REMEMBER_MS });
  }

  /** Not awaited: an answer does not wait for it, and a lost one is written by the next request. */
  #noteUse(row: TokenRow) {
    const now = this.services.clock.now();
    if (row.last_used_at && now.getTime() - row.last_used_at.getTime() < LAST_USED_EVERY_MS) return;
    this.services.db
      .query(sql`update personal_access_tokens set last_used_at = ${now} where id = ${row.id}`)
      .catch((error: unknown) => this.services.log.warn({ err: error }, 'last use of a token was not written'));
  }
}
