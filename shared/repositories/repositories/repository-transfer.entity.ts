import { defineEntity, id, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** A repository that is to be brought in or brought up to date: it waits for its turn, or has it. */
export const RepositoryTransfer = defineEntity({
  name: 'RepositoryTransfer',
  tableName: 'repository_transfers',
  properties: {
    id: id(),
    project_id: reference(),
    /** The kind of job that does it, by its name, and what that is told. */
    queue: p.string(),
    payload: p.json<object>(),
    /** Whose turn it takes; 0 for nobody's. */
    user_id: reference(),
    root_namespace_id: reference(),
    /** Whether nobody asked for it just now: those that people wait for come first. */
    background: p.boolean(),
    requested_at: timestamp(),
    /** The job that does it; null while it waits. */
    job_id: p.uuid().nullable(),
    /** Asked for again since its job was sent. */
    again: p.boolean(),
  },
});
export type RepositoryTransfer = InferEntity<typeof RepositoryTransfer>;
