/**
 * What may happen, by type, with what is told of it. Each domain adds its own by augmenting the interface. Types are
 * a noun and what happened to it: `member.removed`.
 * @public
 */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- augmented by domains
export interface DomainEvents {}

export type EventType = keyof DomainEvents & string;

/** One thing that happened: its type, and what is told of it. */
export type DomainEvent<K extends EventType = EventType> = { [T in K]: { readonly type: T } & DomainEvents[T] }[K];

/**
 * Tells subscribers what was recorded, in the order of their list; what they record themselves is told after that.
 * @param take answers what was recorded since it was last asked
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
