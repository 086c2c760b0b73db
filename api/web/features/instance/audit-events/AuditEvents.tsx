import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { AuditEvent } from '../../../data/api.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { FilteredList } from '../../../app/lists/FilteredList.js';
import rows from '../../../ui/Rows.module.css';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { AuditFilter } from './AuditFilter.js';
import { readFilters, auditEventsQuery } from './queries.js';
import type { AuditScope } from './queries.js';
import { formatKind } from './kinds.js';

/** Changes that are relevant to security and compliance: the author, the time, the resource and the details. */
export function AuditEvents({ of }: { of: AuditScope }) {
  const [search] = useSearchParams();
  const filters = readFilters(search);
  const filtered = Object.values(filters).some((value) => value !== '');
  const query = useQuery(auditEventsQuery(of, filters, pageIn(search)));
  return (
    <FilteredList
      title="Audit events"
      filter={<AuditFilter filters={filters} instance={of.kind === 'instance'} />}
      query={query}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Action', cell: (event) => <What event={event} showsEntity={of.kind === 'instance'} /> },
        { title: 'Author', cell: ({ details: { author_name: name } }) => <UnbrokenText>{name}</UnbrokenText> },
        { title: 'Date', cell: ({ created_at: at }) => <Time at={at} /> },
        { title: 'IP address', cell: ({ details: { ip_address: ip } }) => ip ?? 'the service' },
      ]}
      empty={
        filtered
          ? 'No matching events. Clear the filter to see all events.'
          : 'No audit events yet. Changes to members, tokens, protections and settings appear here.'
      }
    />
  );
}

function What({ event, showsEntity }: { event: AuditEvent; showsEntity: boolean }) {
  const { details, event_name: name } = event;
  const said = details.custom_message || changeIn(details) || name.replaceAll('_', ' ');
  const entity = showsEntity ? formatEntity(event) : null;
  const { target_type: kind, target_details: target } = details;
  const isEntity = entity !== null && kind === event.entity_type && target === details.entity_path;
  return (
    <>
      <span className={rows.name}>
        <UnbrokenText>{said}</UnbrokenText>
      </span>
      {!said.includes(target) && !isEntity && (
        <span className={rows.quiet}>
          <UnbrokenText>{`${formatKind(kind)} ${target}`}</UnbrokenText>
        </span>
      )}
      {entity !== null && (
        <span className={rows.quiet}>
          <UnbrokenText>{entity}</UnbrokenText>
        </span>
      )}
    </>
  );
}

/** The resource that was changed; null for the instance itself. */
function formatEntity({ entity_type: kind, details: { entity_path: path } }: AuditEvent): string | null {
  if (kind === 'Instance') return null;
  return kind === 'User' ? `user ${path}` : `${formatKind(kind)} ${path}`;
}

function changeIn({ change, from, to }: AuditEvent['details']): string {
  return change === undefined ? '' : `changed ${change} from ${from ?? 'nothing'} to ${to ?? 'nothing'}`;
}
