import type { Query, QueryClient } from '@tanstack/react-query';
import { mayPass } from './problem.js';
import { sessionQuery } from './session.js';
import { liveState, POLL_MS, onLiveState, setLiveState } from './live.js';
import type { LiveQueries } from './live.js';

/** A stream without data for this long counts as lost: the service sends data every 15 s. */
const SILENT_MS = 40_000;
/** Time without a stream before the page starts polling. */
const TIMEOUT_MS = 5_000;
/** Pauses before it is tried again. */
const AGAIN_MS = [500, 1_000, 2_000, 5_000, 15_000, 30_000];
/** The pause after refetching, as a multiple of its duration, so that constant changes cause little load. */
const REST = 3;
/** If changes may have been missed, all pages refetch: spread over this time, not simultaneously. */
const SPREAD_MS = 2_000;

/** Changes by the user's own action arrive before its response; within this time they are not reported as pending. */
const OWN_MS = 3_000;

/** Matches every kind. */
const EVERYTHING = '*';

const isPageVisible = () => document.visibilityState === 'visible';

/**
 * Subscribes a page to changes. While the page is hidden, no stream is open and no request is sent.
 * @returns unsubscribes
 */
export function subscribe(queries: QueryClient, params: Record<string, string>, liveQueries: LiveQueries): () => void {
  const began = performance.now();
  let source: EventSource | null = null;
  /** The id of the last event. */
  let since = '';
  let heardAt = Date.now();
  let tries = 0;
  let lost = false;
  let failing = false;
  let refreshing = false;
  let over = false;
  let signedIn = true;
  const waiting = new Set<string>();
  /** When the first change came that waits because the page is held. */
  let waitsSince: number | null = null;
  const timers: Partial<Record<'silence' | 'again' | 'poll' | 'spread' | 'release' | 'held', number>> = {};

  const later = (name: keyof typeof timers, work: () => void, milliseconds: number) => {
    window.clearTimeout(timers[name]);
    timers[name] = window.setTimeout(work, milliseconds);
  };
  const drop = (...names: (keyof typeof timers)[]) => {
    for (const name of names) window.clearTimeout(timers[name]);
  };

  /** Queries of some kinds that the page has. */
  function getQueries(kinds: Iterable<string>): Set<Query> {
    const names = new Set(kinds);
    const keys = Object.entries(liveQueries).flatMap(([kind, those]) =>
      names.has(kind) || names.has(EVERYTHING) ? those : [],
    );
    return new Set(keys.flatMap((queryKey) => queries.getQueryCache().findAll({ queryKey })));
  }

  const activeQueries = () => [...getQueries([EVERYTHING])].filter((query) => query.isActive());

  async function refresh(): Promise<void> {
    if (refreshing) return;
    refreshing = true;
    while (waiting.size > 0 && !liveState().held && !over && isPageVisible()) {
      const found = getQueries(waiting);
      waiting.clear();
      waitsSince = null;
      if (liveState().heldSince !== null) setLiveState({ heldSince: null });
      const started = performance.now();
      await queries.invalidateQueries({ predicate: (query) => found.has(query) });
      const rest = (performance.now() - started) * REST;
      await new Promise((resolve) => {
        window.setTimeout(resolve, rest);
      });
    }
    refreshing = false;
  }

  function ask(kinds: readonly string[]): void {
    for (const kind of kinds) waiting.add(kind);
    if (kinds.length > 0) void refresh();
    if (!liveState().held || waitsSince !== null || ![...getQueries(kinds)].some((query) => query.isActive())) return;
    waitsSince = Date.now();
    later('held', () => setLiveState({ heldSince: waitsSince }), OWN_MS);
  }

  /** Polls while no stream is connected; if that fails as well, the page is stale. */
  async function poll(): Promise<void> {
    if (over || !isPageVisible()) return;
    const found = getQueries([EVERYTHING]);
    if (!liveState().held) await queries.invalidateQueries({ predicate: (query) => found.has(query) });
    if (over || !lost) return;
    failing = activeQueries().some(
      ({ state: { error, fetchStatus } }) => fetchStatus === 'paused' || (error && mayPass(error)),
    );
    setLiveState({ live: false, staleSince: failing ? staleSince() : null });
    later('poll', () => void poll(), POLL_MS);
  }

  /** The last time at which all displayed data was current. */
  function staleSince(): number {
    return Math.max(heardAt, Math.min(...activeQueries().map(({ state }) => state.dataUpdatedAt)));
  }

  function down(): void {
    if (lost) return;
    lost = true;
    later('poll', () => void poll(), signedIn ? TIMEOUT_MS : POLL_MS);
  }

  function up(): void {
    drop('poll');
    // Queries that failed in the meantime are refetched, whatever changed.
    if (failing) ask([EVERYTHING]);
    [lost, failing, tries] = [false, false, 0];
    setLiveState({ live: true, staleSince: null });
  }

  function hear(kinds: string[] | null, id: string): void {
    later('silence', lose, SILENT_MS);
    if (kinds === null) return down();
    // The service looks back for a while only.
    const late = since === '' && performance.now() - began > TIMEOUT_MS * 2;
    since = id;
    heardAt = Date.now();
    up();
    if (kinds.includes(EVERYTHING)) later('spread', () => ask(kinds), Math.random() * SPREAD_MS);
    else ask(late ? [EVERYTHING] : kinds);
  }

  function close(): void {
    source?.close();
    source = null;
    drop('silence', 'again');
  }

  function lose(): void {
    close();
    down();
    const pause = AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)] as number;
    tries += 1;
    later('again', open, pause);
  }

  function open(): void {
    close();
    if (over || !signedIn || !isPageVisible()) return;
    const query = { ...params, kinds: Object.keys(liveQueries).join(','), ...(since ? { since } : {}) };
    source = new EventSource(`/-/events?${new URLSearchParams(query)}`);
    source.addEventListener('message', ({ data, lastEventId }: MessageEvent<string>) =>
      hear(JSON.parse(data) as string[] | null, lastEventId),
    );
    source.addEventListener('error', lose);
    later('silence', lose, SILENT_MS);
  }

  function onVisibilityChange(): void {
    close();
    drop('poll');
    lost = false;
    if (!isPageVisible()) return;
    down();
    open();
    void refresh();
  }

  document.addEventListener('visibilitychange', onVisibilityChange);
  window.addEventListener('online', open);
  void queries.ensureQueryData(sessionQuery).then(
    ({ user }) => {
      // Others look by themselves.
      signedIn = user !== null;
      if (!over) onVisibilityChange();
    },
    () => onVisibilityChange(),
  );

  // Runs after the next render: closing the dialog that held the page may also close the page.
  const released = onLiveState(() => later('release', () => void refresh(), 0));
  return () => {
    over = true;
    close();
    drop('poll', 'spread', 'release', 'held');
    released();
    document.removeEventListener('visibilitychange', onVisibilityChange);
    window.removeEventListener('online', open);
    setLiveState({ live: false, staleSince: null, heldSince: null });
  };
}
