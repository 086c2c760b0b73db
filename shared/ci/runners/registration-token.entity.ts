import { defineEntity, id, p, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** The token that runners of the instance register with; those of projects and groups are among their settings. */
export const InstanceRegistrationToken = defineEntity({
  name: 'InstanceRegistrationToken',
  tableName: 'instance_registration_tokens',
  properties: {
    id: id(),
    /** There is one row at most. */
    singleton: p.boolean(),
    /** HMAC of the token, which is shown once. */
    token_digest: p.uint8array(),
    created_at: timestamp(),
  },
});
export type InstanceRegistrationToken = InferEntity<typeof InstanceRegistrationToken>;
