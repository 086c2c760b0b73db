import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { out, serializer, visibleIf } from '../../core/operations/serializer.js';
import type { RefusedRequest } from './refused-request.entity.js';
import { reasonOf, remedyOf } from './reasons.js';

const roleOf = (access: number | null | undefined): string | null => {
  if (access === null || access === undefined) return null;
  return Object.entries(ACCESS_LEVELS).find(([, level]) => level === access)?.[0] ?? null;
};

const token = serializer<RefusedRequest>('RefusedRequestToken', {
  kind: out.text((refused) => refused.token_kind ?? undefined),
  scopes: out.texts((refused) => refused.token_scopes ?? []),
});

/** Why a request was refused (beyond the public API). Says of no record whether it exists, but to administrators. */
export const refusedRequestSerializer = serializer<RefusedRequest>('RefusedRequest', {
  request_id: out.text((refused) => refused.request_id),
  created_at: out.instant((refused) => refused.created_at),
  route: out.text((refused) => refused.route, { description: 'Method and pattern, or a field of GraphQL.' }),
  status: out.integer((refused) => refused.status),
  operation: out.nullableText((refused) => refused.operation ?? null),
  check: out.text((refused) => refused.check, { description: 'The check that refused it.' }),
  reason: out.text((refused, ctx) => reasonOf(refused, ctx.caller.admin)),
  remedy: out.nullableText((refused) => remedyOf(refused)),
  user_id: out.nullableInteger((refused) => refused.user_id ?? null),
  caller: out.text((refused) => refused.caller_kind, {
    description: '`user`, `anonymous`, or another kind of caller.',
  }),
  token: out.nullableRecord(token, (refused) => (refused.token_kind ? refused : null), {
    description: 'Null for sessions and without a credential.',
  }),
  accepted_scopes: out.texts((refused) => refused.accepted_scopes),
  ability: out.nullableText((refused) => refused.ability ?? null),
  role: out.nullableText((refused) => roleOf(refused.access), {
    description: 'The role that the caller has there; null where no record was found.',
  }),
  required_role: out.nullableText((refused) => refused.required_role ?? null),
  required_plan: out.nullableText((refused) => refused.required_plan ?? null),
  ...visibleIf<RefusedRequest>((_refused, ctx) => ctx.caller.admin, {
    hidden: out.nullableFlag((refused) => refused.hidden ?? null, {
      description: 'For administrators: whether the record is there and hidden from the caller; null where unknown.',
    }),
  }),
});
