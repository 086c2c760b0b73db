import { removeUser } from '../../../shared/tenancy/users/remove-user.js';
import { deleteUsers } from '../../../shared/tenancy/tenancy.jobs.js';
import { handler } from '../../core/handler.js';

/** Removes users whom an administrator deleted. */
export const deleteUserHandler = handler({
  kind: deleteUsers,
  batchSize: 5,
  longStatements: true,
  async handle(ctx, { user_id, hard }) {
    await removeUser(ctx, user_id, hard === true);
    ctx.log.info({ user_id }, 'user.deleted');
  },
});
