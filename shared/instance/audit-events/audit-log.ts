import type { Subscriber } from '../../core/context/context.js';
import type { DomainEvent, EventType } from '../../core/values/events.js';
import { subscriberToAll } from '../../core/context/subscribers.js';
import type { AuditNote } from './audit-note.js';
import { insertAuditEvents } from './insert-audit-events.js';

/** Audit notes of an event; none for an edit that changed no audited attribute. */
type AuditReading<K extends EventType> = (event: DomainEvent<K>) => AuditNote | readonly AuditNote[];

/** How the events of a domain read in the audit log, each of them; null where an event is none of its business. */
export type AuditOf<Events> = { readonly [K in keyof Events & EventType]: AuditReading<K> | null };

/** The readings of any domain. */
export type AuditReadings = Readonly<Record<string, ((event: never) => AuditNote | readonly AuditNote[]) | null>>;

/** All that a file of readings exports, as one. */
export const allReadings = (file: Readonly<Record<string, AuditReadings>>): AuditReadings =>
  Object.assign({}, ...Object.values(file)) as AuditReadings;

declare module '../../core/domain.js' {
  interface Domain {
    /** How what happens in this domain reads in the audit log. */
    readonly auditOf: AuditReadings;
  }
}

/** The audit log: a row for each note on what happened, in the transaction of the change. What was not committed was not done. */
export function auditLog(domains: readonly { readonly auditOf: AuditReadings }[]): Subscriber {
  const readings = new Map(domains.flatMap(({ auditOf }) => Object.entries(auditOf)));
  const read = (event: DomainEvent) => readings.get(event.type)?.(event as never) ?? [];
  const types = [...readings].filter(([, reading]) => reading !== null).map(([type]) => type as EventType);
  return subscriberToAll('audit log', types, (recorded) =>
    insertAuditEvents(recorded.flatMap(({ event, ctx }) => [read(event)].flat().map((note) => ({ ctx, note })))),
  );
}
