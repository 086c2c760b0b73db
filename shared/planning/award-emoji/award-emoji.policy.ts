import type { UserOrAnonymous } from '../../core/callers.js';
import { policy, roleIn } from '../../core/policy.js';
import { readOnly } from '../../tenancy/projects/project.policy.js';
import type { Awardable } from './awardable.js';

/** Who may give emoji to what they read, and take theirs back. */
export const awardEmojiPolicy = policy({
  read_award_emoji: () => true,
  /** Everybody signed in; where the discussion is locked, members. */
  award_emoji: (caller: UserOrAnonymous, { project, discussion_locked }: Awardable) =>
    !caller.anonymous && !readOnly(project) && (discussion_locked !== true || roleIn(caller, project, 'guest')),
  take_back_award_emoji: (caller: UserOrAnonymous, { project }: Awardable) => !caller.anonymous && !readOnly(project),
});
