import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { out, serializer, visibleIf } from '../../core/operations/serializer.js';
import type { RefusedRequest } from './refused-request.entity.js';
import { getReason, getRemedy } from './explain-denial.js';

const getRole = (access: number | null | undefined): string | null => {
  if (access === null || access === undefined) return null;
  return Object.entries(ACCESS_LEVELS).find(([, level]) => level === access)?.[0] ?? null;
};

const token = serializer<RefusedRequest>('RefusedRequestToken', {
  kind: out.text((request) => request.token_kind ?? undefined),
  scopes: out.texts((request) => request.token_scopes ?? []),
});

/** Why a request was refused (beyond the public API). Reveals only to administrators whether a record exists. */
export const refusedRequestSerializer = serializer<RefusedRequest>('RefusedRequest', {
  request_id: out.text((request) => request.request_id),
  created_at: out.instant((request) => request.created_at),
  route: out.text((request) => request.route, {
    description: 'Method and pattern of the route, or a field of GraphQL.',
  }),
  status: out.integer((request) => request.status),
  operation: out.nullableText((request) => request.operation ?? null),
  check: out.text((request) => request.check, { description: 'Check that rejected the request.' }),
  reason: out.text((request, ctx) => getReason(request, ctx.caller.admin)),
  remedy: out.nullableText((request) => getRemedy(request)),
  user_id: out.nullableInteger((request) => request.user_id ?? null),
  caller: out.text((request) => request.caller_kind, {
    description: 'Kind of caller: `user`, `anonymous`, or another kind.',
  }),
  token: out.nullableRecord(token, (request) => (request.token_kind ? request : null), {
    description: 'Token of the request; null for sessions and without a credential.',
  }),
  accepted_scopes: out.texts((request) => request.accepted_scopes),
  ability: out.nullableText((request) => request.ability ?? null),
  role: out.nullableText((request) => getRole(request.access), {
    description: 'Role of the caller for the record; null if no record was found.',
  }),
  required_role: out.nullableText((request) => request.required_role ?? null),
  required_plan: out.nullableText((request) => request.required_plan ?? null),
  ...visibleIf<RefusedRequest>((_request, ctx) => ctx.caller.admin, {
    hidden: out.nullableFlag((request) => request.hidden ?? null, {
      description: 'For administrators: indicates the record exists and is hidden from the caller; null if unknown.',
    }),
  }),
});
