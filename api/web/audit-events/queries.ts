import { queryOptions } from '@tanstack/react-query';
import { api, pageTaken } from '../client/api.js';
import type { AuditEvent } from '../client/api.js';

const PER_PAGE = 20;

/** Whose audit events are asked for. */
export type AuditedPlace = { kind: 'project' | 'group'; path: string } | { kind: 'instance' };

export const auditEventsQuery = (of: AuditedPlace, page: number) =>
  queryOptions({
    queryKey: ['audit events', of, page],
    queryFn: () => {
      const query = { page, per_page: PER_PAGE };
      if (of.kind === 'instance') return pageTaken<AuditEvent[]>(api.GET('/audit_events', { params: { query } }));
      const params = { params: { path: { id: of.path }, query } };
      return pageTaken<AuditEvent[]>(
        of.kind === 'project'
          ? api.GET('/projects/{id}/audit_events', params)
          : api.GET('/groups/{id}/audit_events', params),
      );
    },
  });
