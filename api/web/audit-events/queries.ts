import { queryOptions } from '@tanstack/react-query';
import { api, pageTaken } from '../client/api.js';
import type { AuditEvent } from '../client/api.js';
import { isDay, startOfDay } from '../look/days.js';
import { pageIn } from '../look/list-address.js';

const PER_PAGE = 20;

/** Whose audit events are asked for. */
export type AuditedPlace = { kind: 'project' | 'group'; path: string } | { kind: 'instance' };

/** What the audit log of the instance can be narrowed to, by what people call it. */
export const ENTITIES = { User: 'People', Group: 'Groups', Project: 'Projects', Instance: 'The instance' } as const;

type EntityType = keyof typeof ENTITIES;

/** What an address asks of an audit log. */
export interface AskedEvents {
  entity: EntityType | '';
  /** Days, `YYYY-MM-DD`, the last of them included; on the viewer's calendar. */
  from: string;
  to: string;
  page: number;
}

/** What an address asks for; what it says wrongly is as if it was not said. */
export function askedEvents(search: URLSearchParams): AskedEvents {
  const day = (name: string) => {
    const text = search.get(name);
    return isDay(text) ? text : '';
  };
  const entity = (Object.keys(ENTITIES) as EntityType[]).find((name) => name === search.get('of')) ?? '';
  return { entity, from: day('from'), to: day('to'), page: pageIn(search) };
}

/** A page of an audit log, the newest events first. */
export const auditEventsQuery = (of: AuditedPlace, asked: AskedEvents) =>
  queryOptions({
    queryKey: ['audit events', of, asked],
    queryFn: () => {
      const { entity, from, to, page } = asked;
      const query = {
        ...(from === '' ? {} : { created_after: startOfDay(from) }),
        ...(to === '' ? {} : { created_before: startOfDay(to, 1) }),
        page,
        per_page: PER_PAGE,
      };
      if (of.kind === 'instance') {
        const params = { params: { query: { ...query, ...(entity === '' ? {} : { entity_type: entity }) } } };
        return pageTaken<AuditEvent[]>(api.GET('/audit_events', params));
      }
      const params = { params: { path: { id: of.path }, query } };
      return pageTaken<AuditEvent[]>(
        of.kind === 'project'
          ? api.GET('/projects/{id}/audit_events', params)
          : api.GET('/groups/{id}/audit_events', params),
      );
    },
  });
