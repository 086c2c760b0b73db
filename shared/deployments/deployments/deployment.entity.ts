import { defineEntity, id, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** One time that a commit was brought to an environment. */
export const Deployment = defineEntity({
  name: 'Deployment',
  tableName: 'deployments',
  properties: {
    id: id(),
    project_id: reference(),
    /** Its number in the project, never given out again. */
    iid: p.integer(),
    environment_id: reference(),
    /** The short name of the branch or tag. */
    ref: p.string(),
    tag: p.boolean(),
    sha: p.string(),
    /** `created`, `blocked`, `running`, `success`, `failed`, `canceled` or `skipped`. */
    status: p.string(),
    user_id: reference().nullable(),
    /** The job that made it; null for one made through the API. */
    job_id: reference().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
    /** When it last became success, failed or canceled. */
    finished_at: timestamp().nullable(),
  },
});
export type Deployment = InferEntity<typeof Deployment>;
