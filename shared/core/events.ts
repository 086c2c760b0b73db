import type { Caller } from './callers.js';
import type { Context } from './context.js';

/**
 * What may happen, by type, with what is told of it. Each domain adds its own by augmenting the interface. Types are
 * a noun and what happened to it: `member.removed`.
 */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- augmented by domains
export interface DomainEvents {}

export type EventType = keyof DomainEvents & string;

/** One thing that happened: its type, and what is told of it. */
export type DomainEvent<K extends EventType = EventType> = { [T in K]: { readonly type: T } & DomainEvents[T] }[K];

/** An event, and the context that recorded it: whom it is told of, and on whose transaction. */
export interface RecordedEvent<K extends EventType = EventType> {
  readonly event: DomainEvent<K>;
  readonly ctx: Context<Caller>;
}

/** Who wants to know of some types of events. */
export interface Subscriber<K extends EventType = EventType> {
  readonly name: string;
  readonly types: readonly K[];
  /**
   * Runs at the end of the transaction that recorded the events, in it, once for all of them in the order that they were
   * recorded in, whoever recorded them. What it throws undoes the transaction, so it refuses nothing: rules stand in
   * operations.
   */
  readonly tell: (recorded: readonly RecordedEvent<K>[]) => Promise<void>;
}

/** Declares a subscriber that is told once for each caller. */
export function subscriber<const K extends EventType>(
  name: string,
  types: readonly K[],
  handle: (ctx: Context<Caller>, events: readonly DomainEvent<K>[]) => Promise<void>,
): Subscriber {
  return subscriberToAll(name, types, async (recorded) => {
    for (const { ctx, events } of byContext(recorded)) await handle(ctx, events);
  });
}

/** Declares a subscriber that is told once for all callers of a transaction, each event with its own. */
export function subscriberToAll<const K extends EventType>(
  name: string,
  types: readonly K[],
  tell: (recorded: readonly RecordedEvent<K>[]) => Promise<void>,
): Subscriber {
  return { name, types, tell } as unknown as Subscriber;
}

/** Runs of events that the same context recorded. */
function byContext<K extends EventType>(
  recorded: readonly RecordedEvent<K>[],
): { ctx: Context<Caller>; events: DomainEvent<K>[] }[] {
  const runs: { ctx: Context<Caller>; events: DomainEvent<K>[] }[] = [];
  for (const { ctx, event } of recorded) {
    const last = runs.at(-1);
    if (last?.ctx === ctx) last.events.push(event);
    else runs.push({ ctx, events: [event] });
  }
  return runs;
}

/**
 * Tells subscribers what was recorded, in the order of their list; what they record themselves is told after that.
 * @param take answers what was recorded since it was last asked
 */
export async function tellSubscribers(
  subscribers: readonly Subscriber[],
  take: () => readonly RecordedEvent[],
): Promise<void> {
  for (let recorded = take(); recorded.length > 0; recorded = take())
    for (const { types, tell } of subscribers) {
      const wanted = recorded.filter(({ event }) => types.includes(event.type));
      if (wanted.length > 0) await tell(wanted);
    }
}
