import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { api, unwrap } from '../../../data/api.js';
import type { RefusedRequest as DeniedRequest } from '../../../data/api.js';
import { DetailList } from '../../../ui/DetailList.js';
import { Field, Form } from '../../../app/forms/Form.js';
import { Card, Page, Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
import type { Person } from '../../../data/session.js';

/** Refusals are stored asynchronously, at most a second after the response. */
const WRITTEN_MS = 1200;

/**
 * `/-/refused_requests/<request id>`: the check that refused a request, and the missing requirement; without an id
 * displays a form for one.
 */
export default function RefusedRequest({ id }: { id: string | null }) {
  return (
    <SignedIn>
      {(person) => (
        <Page
          title="Rejected requests"
          lead={
            id === null ? (
              'See why a request was rejected: missing scope, role or plan, or a missing record.'
            ) : (
              <UnbrokenText>{`Request ${id}`}</UnbrokenText>
            )
          }
        >
          {id !== null && <DenialList id={id} person={person} />}
          <Section title={id === null ? 'Find a request' : 'Another request'}>
            <Card>
              <AskForId />
            </Card>
          </Section>
        </Page>
      )}
    </SignedIn>
  );
}

function DenialList({ id, person }: { id: string; person: Person }) {
  const found = useQuery({
    queryKey: ['refused request', id],
    queryFn: () => unwrap(api.GET('/refused_requests/{request_id}', { params: { path: { request_id: id } } })),
    retry: 1,
    retryDelay: WRITTEN_MS,
  });
  return (
    <>
      {found.data?.map((request, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- they have no id, and never change
        <Section key={at} title={request.reason}>
          {request.remedy && <p>{request.remedy}</p>}
          <DetailList details={requestDetails(request, person)} />
        </Section>
      ))}
      {found.isPending && <LoadingRows label="Loading the request" rows={4} />}
      {found.error && (
        <>
          <Problem error={found.error} retry={() => void found.refetch()} />
          <p>
            Rejected requests are kept for an hour, and visible to their sender and administrators. If many requests are
            rejected at once, only some are kept.
          </p>
        </>
      )}
    </>
  );
}

/** For who has the id from somewhere else: a program's log, or another person. */
function AskForId() {
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <Form
      submit="Show reason"
      busy={false}
      problem={null}
      fields={['request_id']}
      onSubmit={(values) => {
        const id = String(values.get('request_id') ?? '').trim();
        setProblem(id === '' ? "can't be blank" : null);
        if (id !== '') void navigate(`/-/refused_requests/${encodeURIComponent(id)}`);
      }}
    >
      <Field
        label="Request ID"
        name="request_id"
        hint="Find it in the X-Request-Id header of API responses, or in error messages on pages."
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        problem={problem}
      />
    </Form>
  );
}

/** What each check looks at, in the order in which they are made. */
const CHECKS: Readonly<Record<string, string>> = {
  credential: 'valid token or session',
  route: 'route exists',
  principal: 'type of token',
  offering: 'offering of the instance',
  scope: 'scope of the token',
  gate: 'caller allowed',
  subject: 'record visible',
  plan: 'plan of the instance',
  ability: 'permission of the caller',
  operation: 'check of the operation',
};

const getCaller = ({ user_id: id, caller }: DeniedRequest, person: Person): string => {
  if (id === null) return caller;
  return id === person.id ? 'you' : `user with ID ${id}`;
};

/** Those that say something. */
function requestDetails(request: DeniedRequest, person: Person): (readonly [string, ReactNode])[] {
  const details: (readonly [string, ReactNode])[] = [
    ['Status', `${request.status}`],
    ['Time', <Time key="at" at={request.created_at} />],
    ['Route', <code key="route">{request.route}</code>],
    ['Operation', request.operation && <code key="operation">{request.operation}</code>],
    ['Check', CHECKS[request.check] ?? request.check],
    ['Caller', getCaller(request, person)],
    ['Token', request.token ? `${request.token.kind}, with ${request.token.scopes.join(', ') || 'no scope'}` : 'none'],
    ['Accepted scopes', request.accepted_scopes.join(', ')],
    ['Permission', request.ability && <code key="ability">{request.ability}</code>],
    ['Role', request.role],
    ['Minimum role', request.required_role],
    ['Plan', request.required_plan],
    ['Hidden from the caller', hiddenIn(request)],
  ];
  return details.filter(([, value]) => value !== null && value !== '');
}

/** Only administrators receive this field. */
function hiddenIn({ hidden }: DeniedRequest): string | null {
  if (hidden === null || hidden === undefined) return null;
  return hidden ? 'yes' : "no, it doesn't exist";
}
