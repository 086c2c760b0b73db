/**
 * The types of events, with their payloads. Each domain adds its own by augmenting the interface. Types consist of a
 * noun and the change to it: `member.removed`.
 * @public
 */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- augmented by domains
export interface DomainEvents {}

export type EventType = keyof DomainEvents & string;

/** One event: its type and its payload. */
export type DomainEvent<K extends EventType = EventType> = { [T in K]: { readonly type: T } & DomainEvents[T] }[K];

/**
 * Notifies subscribers of recorded events, in the order of the list of subscribers; events that they record themselves
 * follow afterward.
 * @param take returns the events recorded since the previous call
 */
export async function notifySubscribers<R extends { readonly event: { readonly type: string } }>(
  subscribers: readonly {
    readonly types: readonly string[];
    readonly handle: (recorded: readonly R[]) => Promise<void>;
  }[],
  take: () => readonly R[],
): Promise<void> {
  for (let recorded = take(); recorded.length > 0; recorded = take())
    for (const { types, handle } of subscribers) {
      const matching = recorded.filter(({ event }) => types.includes(event.type));
      if (matching.length > 0) await handle(matching);
    }
}
