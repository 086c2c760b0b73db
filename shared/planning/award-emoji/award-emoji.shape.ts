import { out, shape } from '../../core/operations/shape.js';
import { userSummary } from '../../tenancy/users/user.shape.js';
import type { AwardRecord } from './award-emoji.finder.js';

/** An emoji that somebody gave; only those that are pictures of a group would have a URL. */
export const awardShape = shape<AwardRecord>('AwardEmoji', {
  id: out.integer((award) => award.id),
  name: out.text((award) => award.name),
  user: out.record(userSummary, (award) => award.user),
  created_at: out.instant((award) => award.created_at),
  updated_at: out.instant((award) => award.updated_at),
  awardable_id: out.integer((award) => award.awardable_id),
  awardable_type: out.text((award) => award.awardable_type),
  url: out.nullableText(() => null),
});
