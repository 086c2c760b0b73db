import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { api, taken } from '../client/api.js';
import type { RefusedRequest as Refused } from '../client/api.js';
import { Facts } from '../look/Facts.js';
import { Page, Section } from '../look/Page.js';
import { Problem } from '../look/Problem.js';
import { LoadingRows } from '../look/Table.js';
import { Time } from '../look/Time.js';
import { Whole } from '../look/Whole.js';

/** Refusals are written beside the answers, a second later at most. */
const WRITTEN_MS = 1200;

/** `/-/refused_requests/<request id>`: which check refused a request, and what was missing. */
export default function RefusedRequest() {
  const { id = '' } = useParams();
  const found = useQuery({
    queryKey: ['refused request', id],
    queryFn: () => taken(api.GET('/refused_requests/{request_id}', { params: { path: { request_id: id } } })),
    retry: 1,
    retryDelay: WRITTEN_MS,
  });
  return (
    <Page title="Why a request was refused" lead={<Whole>{`Request ${id}`}</Whole>}>
      {found.data?.map((refused, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- they have no id, and never change
        <Section key={at} title={refused.reason}>
          {refused.remedy && <p>{refused.remedy}</p>}
          <Facts facts={factsOf(refused)} />
        </Section>
      ))}
      {found.isPending && <LoadingRows label="Loading why the request was refused" rows={4} />}
      {found.error && (
        <>
          <Problem error={found.error} retry={() => void found.refetch()} />
          <p>
            Refusals are kept for an hour, and shown to whoever sent the request and to administrators. Of many refusals
            in one second only some are kept.
          </p>
        </>
      )}
    </Page>
  );
}

/** Those that say something. */
function factsOf(refused: Refused): (readonly [string, ReactNode])[] {
  const facts: (readonly [string, ReactNode])[] = [
    ['Answered', `${refused.status}`],
    ['At', <Time key="at" at={refused.created_at} />],
    ['Route', <code key="route">{refused.route}</code>],
    ['Operation', refused.operation && <code key="operation">{refused.operation}</code>],
    ['Check', refused.check],
    ['Caller', refused.user_id === null ? refused.caller : `user ${refused.user_id}`],
    ['Token', refused.token ? `${refused.token.kind}, with ${refused.token.scopes.join(', ') || 'no scope'}` : 'none'],
    ['Scopes that would do', refused.accepted_scopes.join(', ')],
    ['Right', refused.ability && <code key="ability">{refused.ability}</code>],
    ['Role there', refused.role],
    ['Least role', refused.required_role],
    ['Plan', refused.required_plan],
    ['Hidden from the caller', hiddenIn(refused)],
  ];
  return facts.filter(([, value]) => value !== null && value !== '');
}

/** Told to administrators alone. */
function hiddenIn({ hidden }: Refused): string | null {
  if (hidden === null || hidden === undefined) return null;
  return hidden ? 'yes' : 'no, there is none';
}
