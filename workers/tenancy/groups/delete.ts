import { deleteGroups } from '../../../shared/tenancy/tenancy.jobs.js';
import { removeGroup } from '../../../shared/tenancy/groups/remove-group.js';
import { handler } from '../../core/handler.js';

/** Removes groups whose time has come. */
export const deleteGroupHandler = handler({
  kind: deleteGroups,
  batchSize: 5,
  longStatements: true,
  async handle(ctx, payload) {
    await removeGroup(ctx, payload.group_id, new Date(payload.marked_at));
    ctx.log.info({ group_id: payload.group_id }, 'group.deleted');
  },
});
