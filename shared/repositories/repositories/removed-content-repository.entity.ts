import { defineEntity, reference } from '../../core/database/entity.js';

/** A repository of a wiki or snippet that is to be removed from the disk. */
export const RemovedContentRepository = defineEntity({
  name: 'RemovedContentRepository',
  tableName: 'removed_content_repositories',
  properties: {
    id: reference().primary(),
    project_id: reference().nullable(),
    namespace_id: reference().nullable(),
    snippet_id: reference().nullable(),
  },
});
