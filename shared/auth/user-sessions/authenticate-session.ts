import { LRUCache } from 'lru-cache';
import { UserCaller } from '../../core/context/callers.js';
import type { CallerUser } from '../../core/context/callers.js';
import type { Services } from '../../core/context/context.js';
import { prepareQuery, prepareStatement } from '../../core/database/prepared.js';
import type { AuthDatabase } from '../auth.entities.js';
import { noteActivity } from '../../tenancy/users/note-activity.js';
import { isCsrfToken } from './session-secrets.js';
import { callerAsUser } from '../../tenancy/users/caller-columns.js';

/** As long as tokens are (decisions/0008-remembered-tokens.md). */
const REMEMBER_MS = 900;
const REMEMBER_AT_MOST = 10_000;
/** `last_used_at` is written at most this often for a session. */
const LAST_USED_EVERY_MS = 60_000;
const MINUTE_MS = 60_000;

interface SessionRow {
  id: number;
  last_used_at: Date;
  expires_at: Date;
  user: CallerUser;
}

const loadSession = prepareQuery<AuthDatabase, { digest: Uint8Array }, SessionRow>((db, { digest }) =>
  db
    .selectFrom('user_sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .leftJoin('namespaces as n', 'n.owner_id', 'u.id')
    .select(['s.id', 's.last_used_at', 's.expires_at'])
    .select(callerAsUser())
    .$narrowType<{ user: CallerUser }>()
    .where('s.digest', '=', digest),
);

const used = prepareStatement<AuthDatabase, { id: number; at: Date }>((db, { id, at }) =>
  db.updateTable('user_sessions').set({ last_used_at: at }).where('id', '=', id),
);

/** Finds the caller behind a session cookie, and remembers it for under a second. One for each process. */
export class SessionAuthenticator {
  readonly #remembered = new LRUCache<string, SessionRow>({
    max: REMEMBER_AT_MOST,
    ttl: REMEMBER_MS,
    ttlResolution: 0,
  });
  /** Counts {@link forget}: what was loaded before one is not remembered after it. */
  #generation = 0;

  constructor(private readonly services: Services) {
    const { forgetCallers } = services;
    services.forgetCallers = () => {
      forgetCallers();
      this.forget();
    };
  }

  /** Forgets everything: called when this process changed a session, a token or a user. */
  forget(): void {
    this.#generation += 1;
    this.#remembered.clear();
  }

  /**
   * @param secret value of the session cookie
   * @returns the caller; null if the session has expired, or its user may no longer sign in
   */
  async authenticate(secret: string): Promise<UserCaller | null> {
    const digest = this.services.keys.digest(secret);
    const key = digest.toString('base64');
    const fresh = this.#remembered.get(key);
    const generation = this.#generation;
    const row = fresh ?? (await this.#load(digest));
    if (!row) return null;
    if (!fresh && generation === this.#generation) this.#remembered.set(key, row);
    return this.#isOver(row) ? null : new UserCaller(row.user, null, { id: row.id });
  }

  /** Whether `token` is the CSRF token of the session with this secret. */
  isCsrfToken(secret: string, token: string): boolean {
    return isCsrfToken(this.services.keys, secret, token);
  }

  #isOver({ user, expires_at, last_used_at }: SessionRow): boolean {
    const now = this.services.clock.now().getTime();
    const idleMs = this.services.settings.current.session_expire_delay * MINUTE_MS;
    return user.state !== 'active' || expires_at.getTime() <= now || last_used_at.getTime() + idleMs <= now;
  }

  async #load(digest: Buffer): Promise<SessionRow | null> {
    const [row] = await loadSession(this.services.db, { digest });
    if (row && !this.#isOver(row)) this.#noteUse(row);
    return row ?? null;
  }

  /** Not awaited: an answer does not wait for it, and a lost one is written by the next request. */
  #noteUse(row: SessionRow) {
    const now = this.services.clock.now();
    if (now.getTime() - row.last_used_at.getTime() < LAST_USED_EVERY_MS) return;
    this.services.db
      .queryAll([used({ id: row.id, at: now }), noteActivity(row.user.id, now)])
      .catch((error: unknown) => this.services.log.warn({ err: error }, 'last use of a session was not written'));
  }
}
