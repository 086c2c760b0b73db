import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';

/** A public SSH key that opens repositories of the projects that it is linked to. It is one record, however many those are. */
export const DeployKey = defineEntity({
  name: 'DeployKey',
  tableName: 'deploy_keys',
  properties: {
    id: id(),
    title: p.string(),
    /** One line, as OpenSSH writes it: type, base64 and, where there was one, the comment. */
    key: p.string(),
    /** MD5 of the key: 16 bytes in hex between colons. */
    fingerprint: p.string(),
    /** `SHA256:` and the digest in base64 without padding; no two records have the same. */
    fingerprint_sha256: p.string(),
    /** The user who added it, on whose behalf it pushes; null once that user was removed with all contributions. */
    user_id: relation(User).nullable(),
    /** Every project may enable it; it stays when none has it. */
    public: p.boolean(),
    expires_at: timestamp().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type DeployKey = InferEntity<typeof DeployKey>;

/** A deploy key of a project, with its permissions there. A key is deleted with its last link. */
export const DeployKeysProject = defineEntity({
  name: 'DeployKeysProject',
  tableName: 'deploy_keys_projects',
  properties: {
    id: id(),
    project_id: relation(Project),
    deploy_key_id: relation(DeployKey),
    can_push: p.boolean(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type DeployKeysProject = InferEntity<typeof DeployKeysProject>;
