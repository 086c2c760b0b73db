import type { Caller } from './callers.js';
import type { Context, RecordedEvent, Subscriber } from './context.js';
import type { DomainEvent, EventType } from '../values/events.js';

/** Declares a subscriber that runs once per caller. */
export function subscriber<const K extends EventType>(
  name: string,
  types: readonly K[],
  handle: (ctx: Context<Caller>, events: readonly DomainEvent<K>[]) => Promise<void>,
): Subscriber {
  return subscriberToAll(name, types, async (recorded) => {
    for (const { ctx, events } of byContext(recorded)) await handle(ctx, events);
  });
}

/**
 * Declares a subscriber that runs once for all callers of a transaction and receives each event with its own context.
 */
export function subscriberToAll<const K extends EventType>(
  name: string,
  types: readonly K[],
  handle: (recorded: readonly RecordedEvent<K>[]) => Promise<void>,
): Subscriber {
  return { name, types, handle } as unknown as Subscriber;
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
