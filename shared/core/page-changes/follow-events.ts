import type { Subscriber } from '../context.js';
import type { DomainEvent, EventType } from '../events.js';
import { sql } from '../sql.js';
import { subscriberToAll } from '../subscribers.js';
import { PAGE_CHANGES_CHANNEL, pageChangePayload } from './page-changes.js';
import type { PageChangeKind } from './page-changes.js';

/** What of pages an event changes, by the type of event. */
export type PageChangesOf = {
  readonly [K in EventType]?: (event: DomainEvent<K>) => { readonly kind: PageChangeKind; readonly project_id: number };
};

type Reader = (event: DomainEvent) => { readonly kind: PageChangeKind; readonly project_id: number };

/** Tells pages of events, with one statement for all that a transaction recorded. */
export function followEvents(domains: readonly { readonly pageChanges?: PageChangesOf }[]): Subscriber {
  const readers = new Map(domains.flatMap(({ pageChanges = {} }) => Object.entries(pageChanges) as [string, Reader][]));
  return subscriberToAll('pages', [...readers.keys()] as EventType[], async (recorded) => {
    const changed = new Map<PageChangeKind, number[]>();
    for (const { event } of recorded) {
      const { kind, project_id } = (readers.get(event.type) as Reader)(event);
      changed.set(kind, [...(changed.get(kind) ?? []), project_id]);
    }
    const payloads = [...changed].map(([kind, ids]) => pageChangePayload(kind, ids));
    await recorded[0]?.ctx.query(
      sql`select pg_notify(${PAGE_CHANGES_CHANNEL}, u.payload) from unnest(${payloads}::text[]) as u (payload)`,
    );
  });
}
