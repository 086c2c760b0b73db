import type { UserSummary } from '../../tenancy/users/user.record.js';
import type { DeployToken } from './deploy-token.entity.js';

/** A deploy token as callers find it: with who made it, and without its digest. */
export interface DeployTokenRecord extends Omit<DeployToken, 'digest'> {
  created_by: UserSummary | null;
}
