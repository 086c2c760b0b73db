import type { AliasableExpression } from 'kysely';
import type { Subscriber } from '../context/context.js';
import type { DomainEvent, EventType } from '../values/events.js';
import { unnested } from '../database/expressions.js';
import { subscriberToAll } from '../context/subscribers.js';
import { PAGE_CHANGES_CHANNEL, pageChangePayload, pageNotification } from './page-changes.js';
import type { PageChangeKind } from './page-changes.js';

/** A change of a kind in a project, or in a group for kinds of groups. */
export type PageChange = { readonly kind: PageChangeKind } & (
  | { readonly project_id: number }
  | { readonly group_id: number }
);

/** What of pages an event changes, by the type of event. */
export type PageChangesOf = {
  readonly [K in EventType]?: (event: DomainEvent<K>) => PageChange | readonly PageChange[];
};

const getId = (change: PageChange): number => ('project_id' in change ? change.project_id : change.group_id);

/** SQL that notifies pages of a change, as a value of the statement that makes it. */
export const pageChangeNotification = (change: PageChange): AliasableExpression<void> =>
  pageNotification(change.kind, [getId(change)]);

type Reader = (event: DomainEvent) => PageChange | readonly PageChange[];

/** Notifies pages of events, with one statement for all events of a transaction. */
export function publishPageChanges(domains: readonly { readonly pageChanges?: PageChangesOf }[]): Subscriber {
  const readers = new Map(domains.flatMap(({ pageChanges = {} }) => Object.entries(pageChanges) as [string, Reader][]));
  return subscriberToAll('pages', [...readers.keys()] as EventType[], async (recorded) => {
    const changed = new Map<PageChangeKind, Set<number>>();
    for (const { event } of recorded) {
      for (const change of [(readers.get(event.type) as Reader)(event)].flat()) {
        changed.set(change.kind, (changed.get(change.kind) ?? new Set()).add(getId(change)));
      }
    }
    if (changed.size === 0) return;
    const payloads = [...changed].map(([kind, ids]) => pageChangePayload(kind, ids));
    await recorded[0]?.ctx.em
      .getKysely()
      .selectFrom(unnested(payloads, 'text').as('u'))
      .select((eb) => eb.fn<void>('pg_notify', [eb.val(PAGE_CHANGES_CHANNEL), 'u.value']).as('notified'))
      .execute();
  });
}
