import { Conflict } from '../../core/values/errors.js';
import { can, operation } from '../../core/operations/operation.js';
import { startRemoval } from './delete-user.js';
import { user } from './user.finder.js';
import { userPolicy } from './user.policy.js';
import { moveState } from './user-states.js';

const WAITING = ['blocked_pending_approval'];
/** What became of a request to join. */
const DONE = { message: 'Success', status: 'success' } as const;

/** Let in a user who waits for it: administrators. */
export const approveUser = operation({
  name: 'approveUser',
  summary: 'Approve a user',
  resource: user,
  can: can(userPolicy, 'block_user'),
  kind: 'write',
  async run(ctx, found): Promise<typeof DONE> {
    if (!(await moveState(ctx, found, WAITING, 'active', 'approved')))
      throw new Conflict('The user you are trying to approve is not pending approval');
    return DONE;
  },
});

/** Turn down a user who waits to be let in, and remove them with all they have: administrators. */
export const rejectUser = operation({
  name: 'rejectUser',
  summary: 'Reject a user',
  resource: user,
  can: can(userPolicy, 'block_user'),
  kind: 'write',
  async run(ctx, found): Promise<typeof DONE> {
    if (!(await moveState(ctx, found, WAITING, 'blocked', 'rejected')))
      throw new Conflict('User does not have a pending request');
    await startRemoval(ctx, found, { hard: true });
    return DONE;
  },
});
