import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { AuditEvent } from '../client/api.js';
import { pageIn } from '../look/list-address.js';
import { RecordList } from '../look/RecordList.js';
import rows from '../look/Rows.module.css';
import { Time } from '../look/Time.js';
import { Whole } from '../look/Whole.js';
import { auditEventsQuery } from './queries.js';
import type { AuditedPlace } from './queries.js';

/** What was changed that matters for rights and rules: by whom, when, from where and how. */
export function AuditEvents({ of }: { of: AuditedPlace }) {
  const page = pageIn(useSearchParams()[0]);
  return (
    <RecordList
      title="Audit events"
      query={useQuery(auditEventsQuery(of, page))}
      keyOf={({ id }) => id}
      columns={[
        { title: 'What', cell: (event) => <What event={event} showsPlace={of.kind === 'instance'} /> },
        { title: 'Who', cell: ({ details: { author_name: name } }) => name },
        { title: 'When', cell: ({ created_at: at }) => <Time at={at} /> },
        { title: 'From', cell: ({ details: { ip_address: ip } }) => ip ?? 'the service' },
      ]}
      empty="Nothing was changed yet. Changes of members, tokens, protections and settings are kept here."
    />
  );
}

function What({ event, showsPlace }: { event: AuditEvent; showsPlace: boolean }) {
  const { details, event_name: name } = event;
  const said = details.custom_message || changeIn(details) || name.replaceAll('_', ' ');
  return (
    <>
      <span className={rows.name}>
        <Whole>{said}</Whole>
      </span>
      <span className={rows.quiet}>
        <Whole>{`${details.target_type} ${details.target_details}`}</Whole>
      </span>
      {showsPlace && (
        <span className={rows.quiet}>
          <Whole>{`${event.entity_type} ${details.entity_path}`}</Whole>
        </span>
      )}
    </>
  );
}

function changeIn({ change, from, to }: AuditEvent['details']): string {
  return change === undefined ? '' : `changed ${change} from ${from ?? 'nothing'} to ${to ?? 'nothing'}`;
}
