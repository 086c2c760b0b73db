import { keepLastOwners } from '../../../shared/tenancy/members/keep-last-owners.js';
import { keepOwners } from '../../../shared/tenancy/tenancy.jobs.js';
import { handler } from '../../core/handler.js';

/** Lets the role of a group's last active Owner go on beyond its day. */
export const keepOwnersHandler = handler({
  kind: keepOwners,
  batchSize: 1,
  async handle(ctx) {
    const kept = await keepLastOwners(ctx);
    if (kept > 0) ctx.log.info({ kept }, 'member.kept');
  },
});
