import { queryOptions } from '@tanstack/react-query';
import { api, unwrapPage } from '../../../data/api.js';
import type { AuditEvent } from '../../../data/api.js';

const PER_PAGE = 20;

/** The scope of the requested audit events. */
export type AuditScope = { kind: 'project' | 'group'; path: string } | { kind: 'instance' };

/** The filters: author, resource and days; empty values match all. They are stored in the address. */
export interface AuditEventFilters {
  author: string;
  kind: string;
  /** Days of the viewer's calendar. */
  from: string;
  to: string;
}

export const readFilters = (search: URLSearchParams): AuditEventFilters => ({
  author: search.get('author') ?? '',
  kind: search.get('kind') ?? '',
  from: search.get('from') ?? '',
  to: search.get('to') ?? '',
});

const instantAt = (day: string, time: string): string | null => {
  const date = new Date(`${day}T${time}`);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
};

function getFilter({ author, kind, from, to }: AuditEventFilters) {
  const after = instantAt(from, '00:00:00');
  const before = instantAt(to, '23:59:59.999');
  return {
    ...(author === '' ? {} : { author }),
    ...(kind === '' ? {} : { target_type: kind }),
    ...(after === null ? {} : { created_after: after }),
    ...(before === null ? {} : { created_before: before }),
  };
}

export const auditEventsQuery = (of: AuditScope, filters: AuditEventFilters, page: number) =>
  queryOptions({
    queryKey: ['audit events', of, filters, page],
    queryFn: () => {
      const query = { page, per_page: PER_PAGE, ...getFilter(filters) };
      if (of.kind === 'instance') return unwrapPage<AuditEvent[]>(api.GET('/audit_events', { params: { query } }));
      const params = { params: { path: { id: of.path }, query } };
      return unwrapPage<AuditEvent[]>(
        of.kind === 'project'
          ? api.GET('/projects/{id}/audit_events', params)
          : api.GET('/groups/{id}/audit_events', params),
      );
    },
  });
