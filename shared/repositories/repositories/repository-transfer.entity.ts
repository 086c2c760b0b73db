import { defineEntity, id, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** A repository to be imported or updated: waiting in the queue, or running. */
export const RepositoryTransfer = defineEntity({
  name: 'RepositoryTransfer',
  tableName: 'repository_transfers',
  properties: {
    id: id(),
    project_id: reference(),
    /** The kind of job that runs it, by name, and its payload. */
    queue: p.string(),
    payload: p.json<object>(),
    /** The user whose queue it waits in; 0 for none. */
    user_id: reference(),
    root_namespace_id: reference(),
    /** Whether it was not requested by a user just now: those that users wait for come first. */
    background: p.boolean(),
    requested_at: timestamp(),
    /** The job that does it; null while it waits. */
    job_id: p.uuid().nullable(),
    /** Requested again since its job was sent. */
    again: p.boolean(),
  },
});
export type RepositoryTransfer = InferEntity<typeof RepositoryTransfer>;
