import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';

/** A credential of a project or a group for git, packages and registries, without a user. Only its digest is stored. */
export const DeployToken = defineEntity({
  name: 'DeployToken',
  tableName: 'deploy_tokens',
  properties: {
    id: id(),
    /** Its project or group: exactly one of the two. */
    project_id: relation(Project).nullable(),
    namespace_id: relation(Namespace).nullable(),
    name: p.string(),
    /** Null if none was specified: it is then derived from the id. */
    username: p.string().nullable(),
    digest: p.uint8array(),
    /** In the order of {@link DEPLOY_TOKEN_SCOPES}. */
    scopes: p.array().columnType('text[]'),
    revoked: p.boolean(),
    expires_at: timestamp().nullable(),
    last_used_at: timestamp().nullable(),
    created_by_id: relation(User).nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type DeployToken = InferEntity<typeof DeployToken>;

/** A deploy token as callers find it: with who made it, and without its digest. */
export interface DeployTokenRecord extends Omit<DeployToken, 'digest'> {
  created_by: UserSummary | null;
}
