import { defineEntity, id, p, relation, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';

/** A variable that jobs receive: of a project, of a group and all below it, or of the whole instance. */
export const CiVariable = defineEntity({
  name: 'CiVariable',
  tableName: 'ci_variables',
  properties: {
    id: id(),
    /** Its project or group; neither of the two for one of the instance. */
    project_id: relation(Project).nullable(),
    namespace_id: relation(Namespace).nullable(),
    key: p.string(),
    /** Encrypted, bound to its owner, key and scope. */
    value: p.uint8array(),
    variable_type: p.string(),
    /** Name of an environment, in which `*` stands for any text. */
    environment_scope: p.string(),
    protected: p.boolean(),
    masked: p.boolean(),
    /** Never answered again; always masked too. */
    hidden: p.boolean(),
    raw: p.boolean(),
    description: p.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type CiVariable = InferEntity<typeof CiVariable>;
