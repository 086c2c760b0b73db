import { defineEntity, id, p, reference, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** A refused request, with the check that refused it. Retained for an hour; holds no values of the request. */
export const RefusedRequest = defineEntity({
  name: 'RefusedRequest',
  tableName: 'refused_requests',
  properties: {
    id: id(),
    request_id: p.string(),
    /** The user who made the request; null for callers of other kinds. */
    user_id: reference().nullable(),
    /** `user`, `anonymous`, or the kind of a caller that is no user. */
    caller_kind: p.string(),
    /** Null for sessions and anonymous callers. */
    token_kind: p.string().nullable(),
    token_scopes: p.array().nullable(),
    /** Null where no operation was reached. */
    operation: p.string().nullable(),
    /** Method and pattern, such as `GET /projects/:id`, or the field of GraphQL. */
    route: p.string(),
    status: p.smallint(),
    /** The check that refused it; `credential` or `route` if it reached no operation. */
    check: p.string(),
    accepted_scopes: p.array(),
    ability: p.string().nullable(),
    required_role: p.string().nullable(),
    required_plan: p.string().nullable(),
    /** The caller's access level in the container that was found. */
    access: p.smallint().nullable(),
    /** Whether the record exists and is hidden from the caller; null if unknown. */
    hidden: p.boolean().nullable(),
    created_at: timestamp(),
  },
});
export type RefusedRequest = InferEntity<typeof RefusedRequest>;
