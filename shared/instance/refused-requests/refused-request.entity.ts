import { defineEntity, id, p, reference, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** That a request was refused, and by which check. Kept for an hour; holds no value of the request. */
export const RefusedRequest = defineEntity({
  name: 'RefusedRequest',
  tableName: 'refused_requests',
  properties: {
    id: id(),
    request_id: p.string(),
    /** The user who asked; null for callers of other kinds. */
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
    /** The check that refused it; `credential` or `route` where no operation was asked. */
    check: p.string(),
    accepted_scopes: p.array(),
    ability: p.string().nullable(),
    required_role: p.string().nullable(),
    required_plan: p.string().nullable(),
    /** The caller's access level in the container that was found. */
    access: p.smallint().nullable(),
    /** Whether the record is there and hidden from the caller; null where nobody knows. */
    hidden: p.boolean().nullable(),
    created_at: timestamp(),
  },
});
export type RefusedRequest = InferEntity<typeof RefusedRequest>;
