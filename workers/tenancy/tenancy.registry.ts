import type { WorkerDomain } from '../core/handler.js';
import { deleteGroups, deleteUsers, keepOwners, pruneSpamLogs, submitHam } from '../../shared/tenancy/tenancy.jobs.js';
import { removeGroup } from '../../shared/tenancy/groups/remove-group.js';
import { handler } from '../core/handler.js';
import { removeUser } from '../../shared/tenancy/users/remove-user.js';
import { keepLastOwners } from '../../shared/tenancy/members/keep-last-owners.js';
import { removeOldSpamLogs, submitSpamLogAsHam } from '../../shared/tenancy/spam/tend-spam-logs.js';

/** Deletes groups whose deletion is due. */
const deleteGroupHandler = handler({
  kind: deleteGroups,
  batchSize: 5,
  longStatements: true,
  async handle(ctx, payload) {
    await removeGroup(ctx, payload.group_id, new Date(payload.marked_at));
    ctx.log.info({ group_id: payload.group_id }, 'group.deleted');
  },
});

/** Lets the role of a group's last active Owner go on beyond its day. */
const keepOwnersHandler = handler({
  kind: keepOwners,
  batchSize: 1,
  async handle(ctx) {
    const count = await keepLastOwners(ctx);
    if (count > 0) ctx.log.info({ count }, 'member.kept');
  },
});

/** Removes old entries of the spam log. */
const pruneSpamLogsHandler = handler({
  kind: pruneSpamLogs,
  batchSize: 1,
  async handle(ctx) {
    const removed = await removeOldSpamLogs(ctx);
    if (removed > 0) ctx.log.info({ removed }, 'spam_logs.pruned');
  },
});

/** Reports to a checker that a text was not spam. */
const submitHamHandler = handler({
  kind: submitHam,
  batchSize: 5,
  handle: (ctx, { spam_log_id }) => submitSpamLogAsHam(ctx, spam_log_id),
});

/** Removes users that an administrator deleted. */
const deleteUserHandler = handler({
  kind: deleteUsers,
  batchSize: 5,
  longStatements: true,
  async handle(ctx, { user_id, hard }) {
    await removeUser(ctx, user_id, hard === true);
    ctx.log.info({ user_id }, 'user.deleted');
  },
});

export const tenancyWorkers: WorkerDomain = {
  handlers: [deleteGroupHandler, keepOwnersHandler, deleteUserHandler, pruneSpamLogsHandler, submitHamHandler],
};
