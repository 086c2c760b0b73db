import { out, shape } from '../../core/operations/shape.js';
import { userSummary } from '../users/user.shape.js';
import type { StarRecord } from './project-star.finder.js';

/** Who starred a project, and since when. */
export const starShape = shape<StarRecord>('ProjectStarrer', {
  starred_since: out.instant((star) => star.created_at),
  user: out.record(userSummary, (star) => star.user),
});
