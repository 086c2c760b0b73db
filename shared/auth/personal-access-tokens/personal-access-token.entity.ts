import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/**
 * A credential for the API: a user's own token, an impersonation token, or the token of a project or group, which acts
 * as a bot. Only its digest is stored.
 */
export const PersonalAccessToken = defineEntity({
  name: 'PersonalAccessToken',
  tableName: 'personal_access_tokens',
  properties: {
    id: id(),
    user_id: relation(User),
    name: p.string(),
    description: p.string().nullable(),
    digest: p.uint8array(),
    scopes: p.array().columnType('text[]'),
    /** Set for tokens that an administrator created to impersonate the user. */
    impersonation: p.boolean(),
    revoked: p.boolean(),
    /** The first token of those that came of each other by rotation; null in that first one. */
    family_id: reference().nullable(),
    /** The project or group of its access token, if it is not a user's; never both. */
    project_id: relation(Project).nullable(),
    namespace_id: relation(Namespace).nullable(),
    /** The access level of its bot there. */
    access_level: p.integer().nullable(),
    expires_on: p.string().columnType('date').nullable(),
    last_used_at: timestamp().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type PersonalAccessToken = InferEntity<typeof PersonalAccessToken>;
