import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { AuditEvent } from '../client/api.js';
import { RecordList } from '../look/RecordList.js';
import rows from '../look/Rows.module.css';
import { Time } from '../look/Time.js';
import { Whole } from '../look/Whole.js';
import { AuditFilter } from './AuditFilter.js';
import { askedEvents, auditEventsQuery } from './queries.js';
import type { AuditedPlace } from './queries.js';

/** What was changed that matters for rights and rules: by whom, when, from where and how. */
export function AuditEvents({ of }: { of: AuditedPlace }) {
  const asked = askedEvents(useSearchParams()[0]);
  const wide = of.kind === 'instance';
  const narrowed = asked.from + asked.to + asked.entity !== '';
  return (
    <>
      <AuditFilter asked={asked} wide={wide} />
      <RecordList
        title="Audit events"
        query={useQuery(auditEventsQuery(of, asked))}
        keyOf={({ id }) => id}
        columns={[
          { title: 'What', cell: (event) => <What event={event} showsPlace={wide} /> },
          { title: 'Who', cell: ({ details: { author_name: name } }) => <Whole>{name}</Whole> },
          { title: 'When', cell: ({ created_at: at }) => <Time at={at} /> },
          { title: 'From', cell: ({ details: { ip_address: ip } }) => ip ?? 'the service' },
        ]}
        empty={
          narrowed
            ? 'Nothing in these days that fits.'
            : 'Nothing was changed yet. Changes of members, tokens, protections and settings are kept here.'
        }
      />
    </>
  );
}

/** `PersonalAccessToken` in words. */
const words = (type: string): string =>
  type.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).toLowerCase();

/** Where what has the change is seen; null for what has no page. */
function pageOf({ entity_type: type, details: { entity_path: path } }: AuditEvent): string | null {
  if (type === 'Group') return `/groups/${path}`;
  return type === 'Project' || type === 'User' ? `/${path}` : null;
}

function What({ event, showsPlace }: { event: AuditEvent; showsPlace: boolean }) {
  const { details, event_name: name, entity_type: entity } = event;
  const { target_type: type, target_details: target, entity_path: path } = details;
  const to = pageOf(event);
  const said = details.custom_message || name.replaceAll('_', ' ');
  // Where the sentence names it already, or it is the place itself.
  const isTold = said.includes(target) || (type === entity && target === path);
  return (
    <>
      <span className={rows.name}>
        <Whole>{said}</Whole>
      </span>
      {!isTold && (
        <span className={rows.quiet}>
          <Whole>{`${words(type)} ${target}`}</Whole>
        </span>
      )}
      {showsPlace && (
        <span className={rows.quiet}>
          {words(entity)} {to ? <Link to={to}>{<Whole>{path}</Whole>}</Link> : <Whole>{path}</Whole>}
        </span>
      )}
      <Changed details={details} />
    </>
  );
}

const valueWords = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return 'nothing';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Each value before and after, folded away. */
function Changed({ details: { change, from, to, changes } }: Pick<AuditEvent, 'details'>) {
  const one = change === undefined ? {} : { [change]: { from, to } };
  const all = Object.entries((changes ?? one) as Record<string, { from?: unknown; to?: unknown }>);
  if (all.length === 0) return null;
  return (
    <details className={rows.quiet}>
      <summary>{all.length === 1 ? 'Before and after' : `Before and after: ${all.length} values`}</summary>
      <ul>
        {all.map(([name, values]) => (
          <li key={name}>
            <Whole>{`${name.replaceAll('_', ' ')}: ${valueWords(values.from)} → ${valueWords(values.to)}`}</Whole>
          </li>
        ))}
      </ul>
    </details>
  );
}
