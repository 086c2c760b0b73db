import { countKey } from '../context/callers.js';
import type { Context } from '../context/context.js';
import { Overloaded, RateLimited } from '../values/errors.js';
import { Limiter } from '../values/limiter.js';
import type { Share } from '../values/limiter.js';
import type { OpenServices } from '../context/open-services.js';
import { AwaitedChanges } from './awaited-changes.js';
import { PAGE_CHANGES_CHANNEL, readPageChange } from './page-changes.js';
import type { PageChangeKind, PageScope, WideScope } from './page-changes.js';
import { RecentChanges } from './recent-changes.js';
import { reachedScopes } from './reached-scopes.js';
import { WideChanges } from './wide-changes.js';

/** Pages of one process, and of one caller in it. */
export const CHANGE_FEED_LIMITS = { process: 2_000, caller: 30 };

/** Notifications within this time are sent together, in milliseconds. */
const GATHER_MS = 250;
/** Minimum interval between notifications to a page: it reloads everything it shows each time. */
const REST_MS = 2_000;
/** Every page gets a message this often, so that the connection is not considered dead. */
const HEARTBEAT_MS = 15_000;
/** Interval of the check for pages due for a heartbeat, so that they are not all sent at once. */
const BEAT_MS = 1_500;
/** The content of a page may be older than its last notification by this much. */
const SLACK_MS = 10_000;
/** The same for a page that starts listening: the time since it first requested its content. */
const FIRST_MS = 15_000;

/** Every kind: what changed is not known. */
const EVERYTHING = ['*'];
const NONE: ReadonlySet<PageChangeKind> = new Set();

/** A listening page: receives text of the event stream, and its end. */
export interface PageListener {
  send(text: string): void;
  end(): void;
}

interface Member {
  readonly listener: PageListener;
  readonly shares: readonly Share[];
  readonly scope: PageScope;
  /** Kinds of changes that it has yet to be notified of. */
  readonly waiting: Set<string>;
  restsUntil: number;
  notifiedAt: number;
}

const isSubscribedTo = ({ scope }: Member, kind: string): boolean => scope.kinds.has(kind as PageChangeKind);

const isWide = (scope: PageScope): scope is WideScope => 'key' in scope;

/** The kinds of the one container that a page shows, which need no statement: its project's, or its group's own. */
const nearKinds = (scope: PageScope): ReadonlySet<PageChangeKind> =>
  isWide(scope) ? (scope.group?.kinds ?? NONE) : scope.kinds;

/**
 * The id of that container: kinds of projects and groups have different names, so equal ids of the two do not collide.
 */
const nearId = (scope: PageScope): number | undefined => (isWide(scope) ? scope.group?.id : scope.project_id);

/**
 * Notifies open pages of changes (decision 82): kinds, never values, and only of changes that their callers may see.
 * One connection of the process receives all changes; a page costs only its connection until a change occurs.
 */
export class ChangeFeed {
  readonly #members = new Set<Member>();
  readonly #limiter = new Limiter({ capacity: CHANGE_FEED_LIMITS.process });
  /** By the id of the project or group that the page shows. */
  readonly #near = new Map<number, Set<Member>>();
  readonly #wide = new Set<Member>();
  readonly #recent = new RecentChanges();
  readonly #undecided: WideChanges;
  readonly #awaited = new AwaitedChanges();
  #end: (() => void) | undefined;
  #connected = false;
  #deciding = false;
  #notifyTimer: NodeJS.Timeout | undefined;
  #beating: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(private readonly services: Pick<OpenServices, 'channels' | 'db' | 'clock' | 'log'>) {
    this.#undecided = new WideChanges(services);
  }

  /** How many pages listen. */
  get size(): number {
    return this.#members.size;
  }

  /** Whether it hears of changes now. */
  get hearing(): boolean {
    return this.#connected;
  }

  /** Begins to hear of changes: before the first page listens, so that it knows what changed just now. */
  start(): void {
    if (this.#end || this.#stopped) return;
    this.#end = this.services.channels.hear(PAGE_CHANGES_CHANNEL, {
      onNotification: (payload) => this.#hear(payload),
      onConnected: () => this.#begin(),
      onLost: () => this.#lose(),
    });
  }

  /**
   * Adds a page, and first notifies it of changes since its last event.
   * @param since the id of the last event that it received; null for a new page
   * @returns a function that removes it
   * @throws Overloaded when too many pages listen, RateLimited when too many pages of this caller do
   */
  async join(ctx: Context, scope: PageScope, since: number | null, listener: PageListener): Promise<() => void> {
    const shares = [{ key: countKey(ctx.caller, ctx.origin.ip), limit: CHANGE_FEED_LIMITS.caller }];
    if (this.#stopped || this.#limiter.held >= CHANGE_FEED_LIMITS.process) throw new Overloaded(10);
    if (!this.#limiter.tryTake(shares)) throw new RateLimited(10);
    this.start();
    const member: Member = {
      listener,
      shares,
      scope,
      waiting: new Set(),
      restsUntil: 0,
      notifiedAt: performance.now(),
    };
    // Counted and subscribed to changes before the first await.
    this.#enter(member);
    const leave = () => this.#leave(member);
    try {
      this.#notify(member, await this.#changedSince(scope, since));
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  /** Waits for one thing to change, as {@link AwaitedChanges.wait} does. */
  heard(kind: string, id: number, ms: number, signal: AbortSignal): Promise<boolean> {
    this.start();
    return this.#awaited.wait(kind, id, ms, signal);
  }

  #enter(member: Member): void {
    const { scope } = member;
    this.#members.add(member);
    if (isWide(scope)) this.#wide.add(member);
    const id = nearId(scope);
    if (id !== undefined) this.#near.set(id, (this.#near.get(id) ?? new Set()).add(member));
    this.#beating ??= setInterval(() => this.#beat(), BEAT_MS).unref();
  }

  #leave(member: Member): void {
    const { scope } = member;
    // A listener may be closed more than once.
    if (!this.#members.delete(member)) return;
    this.#limiter.release(member.shares);
    this.#wide.delete(member);
    if (this.#wide.size === 0) this.#undecided.forget();
    const id = nearId(scope);
    const others = id === undefined ? undefined : this.#near.get(id);
    others?.delete(member);
    if (id !== undefined && others?.size === 0) this.#near.delete(id);
    if (this.#members.size > 0) return;
    clearInterval(this.#beating);
    this.#beating = undefined;
  }

  #now(): number {
    return this.services.clock.now().getTime();
  }

  /** Kinds that changed within a scope since then; null where nothing is heard of changes now. */
  async #changedSince(scope: PageScope, since: number | null): Promise<readonly string[] | null> {
    if (!this.#connected) return null;
    const now = this.#now();
    const from = since === null ? now - FIRST_MS : since - SLACK_MS;
    if (!this.#recent.knows(from, now)) return EVERYTHING;
    const id = nearId(scope);
    const near = id === undefined ? [] : [...nearKinds(scope)].filter((kind) => this.#recent.changed(kind, id, from));
    if (!isWide(scope)) return near;
    const reached: string[] = near;
    for (const kind of scope.kinds.keys()) {
      const ids = this.#recent.projects(kind, from);
      if (ids === null || (await reachedScopes(this.services.db, kind, ids, [scope])).size > 0) reached.push(kind);
    }
    // The connection was lost during the query.
    return this.#connected ? reached : null;
  }

  #begin(): void {
    if (this.#stopped) return;
    this.#connected = true;
    this.#recent.begin(this.#now());
    this.#undecided.forget();
    for (const member of this.#members) this.#notify(member, EVERYTHING);
  }

  #lose(): void {
    if (!this.#connected) return;
    this.#connected = false;
    this.#recent.end();
    for (const member of this.#members) this.#notify(member, null);
  }

  #hear(payload: string): void {
    const change = readPageChange(payload);
    if (!change) return;
    const { kind, ids } = change;
    this.#awaited.hear(kind, ids ?? []);
    this.#recent.note(kind, ids, this.#now());
    const near = ids ? ids.flatMap((id) => [...(this.#near.get(id) ?? [])]) : this.#members;
    for (const member of near) if (nearKinds(member.scope).has(kind as PageChangeKind)) member.waiting.add(kind);
    if (this.#isVisibleWide(kind)) this.#undecided.note(kind, ids, this.#now());
    if (this.#members.size > 0) this.#notifySoon();
  }

  /** Whether a page across projects shows this kind at all. */
  #isVisibleWide(kind: string): boolean {
    for (const member of this.#wide) if (isSubscribedTo(member, kind)) return true;
    return false;
  }

  #notifySoon(): void {
    this.#notifyTimer ??= setTimeout(() => void this.#notifyWaiting(), GATHER_MS).unref();
  }

  async #notifyWaiting(): Promise<void> {
    this.#notifyTimer = undefined;
    let left = this.#notifyRested();
    // Pages of one project do not wait for it.
    if (!this.#deciding) {
      this.#deciding = true;
      await this.#decide();
      this.#deciding = false;
      left = this.#notifyRested();
    }
    if (this.#members.size > 0 && (left || this.#undecided.since !== null)) this.#notifySoon();
  }

  /** Notifies the pages whose interval has passed. @returns whether others wait */
  #notifyRested(): boolean {
    const now = performance.now();
    let left = false;
    for (const member of this.#members) {
      if (member.waiting.size === 0) continue;
      if (member.restsUntil > now) {
        left = true;
        continue;
      }
      const kinds = [...member.waiting];
      member.waiting.clear();
      member.restsUntil = now + REST_MS;
      this.#notify(member, kinds);
    }
    return left;
  }

  async #decide(): Promise<void> {
    const wide = [...this.#wide].map((member) => ({ member, scope: member.scope as WideScope }));
    const reached = await this.#undecided.decide(wide.map(({ scope }) => scope));
    for (const [kind, keys] of reached)
      for (const { member, scope } of wide)
        if (keys.has(scope.key) && isSubscribedTo(member, kind)) member.waiting.add(kind);
  }

  /** @param kinds none: only that it is heard of; null: nothing is heard of changes now */
  #notify(member: Member, kinds: readonly string[] | null): void {
    member.notifiedAt = performance.now();
    // Changes still undecided have not been sent.
    const eventId = (isWide(member.scope) ? this.#undecided.since : null) ?? this.#now();
    member.listener.send(`id: ${eventId}\ndata: ${JSON.stringify(kinds)}\n\n`);
  }

  #beat(): void {
    if (!this.#connected) return;
    const before = performance.now() - HEARTBEAT_MS;
    for (const member of this.#members)
      if (member.notifiedAt <= before && member.waiting.size === 0) this.#notify(member, []);
  }

  /** Ends the stream of every page; no page can join afterward. */
  stop(): Promise<void> {
    this.#stopped = true;
    this.#awaited.stop();
    clearTimeout(this.#notifyTimer);
    clearInterval(this.#beating);
    for (const { listener } of this.#members) listener.end();
    this.#end?.();
    return Promise.resolve();
  }
}
