import { LRUCache } from 'lru-cache';
import { UserCaller } from '../../core/context/callers.js';
import type { Caller, CallerUser, TokenKind } from '../../core/context/callers.js';
import type { Origin, Services } from '../../core/context/context.js';
import { Forbidden, Unauthenticated } from '../../core/values/errors.js';
import { constant } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { AuthDatabase } from '../auth.entities.js';
import type { Carrier, Credential, TokenSource } from '../../core/context/token-source.js';
import { noteActivity } from '../../tenancy/users/note-activity.js';
import { revokeReused } from './rotate-token.js';
import { callerAsUser } from '../../tenancy/users/caller-columns.js';

/** A cached token is reloaded after this time, so that it outlives its revocation by less than a second. */
const REMEMBER_MS = 900;
const REMEMBER_AT_MOST = 10_000;
/** `last_used_at` is written at most this often for a token. */
const LAST_USED_EVERY_MS = 60_000;

interface TokenRow {
  kind: TokenKind;
  id: number;
  scopes: string[];
  revoked: boolean;
  ends_at: Date | null;
  last_used_at: Date | null;
  /** Null where the token is a caller of its own. */
  user: CallerUser | null;
  details: unknown;
}

/** Looks up tokens from several sources, which select the same columns. */
const loadFrom = (first: TokenSource, others: readonly TokenSource[]) =>
  prepareQuery<AuthDatabase, { digest: Uint8Array }, TokenRow>((db, { digest }) => {
    const getTokens = (source: TokenSource) =>
      db
        .selectFrom(source.withDigest(digest).as('x'))
        .select(['x.id', 'x.user_id', 'x.scopes', 'x.revoked', 'x.ends_at', 'x.last_used_at', 'x.details'])
        .select((eb) => eb.cast<TokenKind>(constant(source.kind), 'text').as('kind'));
    const tokens = others.reduce((all, source) => all.unionAll(getTokens(source)), getTokens(first));
    return db
      .selectFrom(tokens.as('t'))
      .leftJoin('users as u', 'u.id', 't.user_id')
      .leftJoin('namespaces as n', 'n.owner_id', 'u.id')
      .select(['t.kind', 't.id', 't.scopes', 't.revoked', 't.ends_at', 't.last_used_at', 't.details'])
      .select(callerAsUser());
  });

/** Finds the caller behind a token, and remembers it for under a second. One for each process. */
export class TokenAuthenticator {
  readonly #remembered = new LRUCache<string, TokenRow>({ max: REMEMBER_AT_MOST, ttl: REMEMBER_MS, ttlResolution: 0 });
  /** Counts {@link forget}: what was loaded before one is not remembered after it. */
  #generation = 0;
  /** One for each carrier. */
  readonly #loads = new Map<Carrier, ReturnType<typeof loadFrom>>();
  /** Last uses that are being written. */
  readonly #writing = new Set<Promise<void>>();

  /** @param sources the tables of tokens of all domains */
  constructor(
    private readonly services: Services,
    private readonly sources: readonly TokenSource[],
  ) {
    services.forgetCallers = () => this.forget();
  }

  /** Forgets everything: called when this process changed a token or a user. */
  forget(): void {
    this.#generation += 1;
    this.#remembered.clear();
  }

  /** Waits until what answers did not wait for is written: before the process ends, or before statements are counted. */
  async written(): Promise<void> {
    await Promise.all(this.#writing);
  }

  /**
   * @param rotation origin of a request to rotate a token: a revoked token in such a request revokes its family
   * @returns the caller, or null if no such token exists, or none that its carrier accepts
   * @throws Unauthenticated (expired, revoked), Forbidden (user blocked): rest-conventions.md section 2
   */
  async authenticate({ token, carrier }: Credential, rotation?: Origin): Promise<Caller | null> {
    const digest = this.services.keys.digest(token);
    const key = digest.toString('base64');
    const fresh = this.#remembered.get(key);
    const generation = this.#generation;
    const row = fresh ?? (await this.#load(digest, carrier));
    const source = this.sources.find(({ kind, carriers }) => kind === row?.kind && carriers.includes(carrier));
    if (!row || !source) return null;
    if (!fresh && generation === this.#generation) this.#remembered.set(key, row);
    if (rotation && row.revoked && row.kind === 'access') await revokeReused(this.services, row.id, rotation);
    const caller = this.#admit(row, source);
    if (!fresh && caller) this.#noteUse(row, source);
    return caller;
  }

  /** Null if the token belongs to no caller. */
  #admit({ kind, id, scopes, user, details, ...row }: TokenRow, { callerOf }: TokenSource): Caller | null {
    const caller = callerOf ? callerOf({ id, scopes, details }) : user && new UserCaller(user, { kind, id, scopes });
    if (!caller) return null;
    if (row.ends_at && row.ends_at <= this.services.clock.now()) throw new Unauthenticated('expired');
    if (row.revoked) throw new Unauthenticated('revoked');
    if (caller.kind === 'user' && caller.user.state !== 'active') throw new Forbidden('Your account has been blocked.');
    return caller;
  }

  /** Queries all tables with one statement. Tokens are compared by digest, which reveals nothing by timing. */
  async #load(digest: Buffer, carrier: Carrier): Promise<TokenRow | null> {
    let load = this.#loads.get(carrier);
    if (!load) {
      const [first, ...others] = this.sources.filter(({ carriers }) => carriers.includes(carrier));
      load = first ? loadFrom(first, others) : () => Promise.resolve([]);
      this.#loads.set(carrier, load);
    }
    const [row] = await load(this.services.db, { digest });
    return row ?? null;
  }

  /**
   * Only for admitted callers. Not awaited, so that the response is not delayed; a lost write is made up for by the
   * next request.
   */
  #noteUse({ id, user, last_used_at: before }: TokenRow, { noteUse }: TokenSource) {
    const now = this.services.clock.now();
    if (before && now.getTime() - before.getTime() < LAST_USED_EVERY_MS) return;
    if (!noteUse) return;
    const writing = this.services.db
      .queryAll([noteUse({ id, at: now }), ...(user ? [noteActivity(user.id, now)] : [])])
      .then(() => undefined)
      .catch((error: unknown) => this.services.log.warn({ err: error }, 'last use of a token was not written'))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }
}
