import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import { readOnly } from '../../tenancy/projects/project.policy.js';
import type { Awardable } from './awardable.js';

/** Whether anything may still change where it lies. */
const standing = ({ project, group }: Awardable): boolean => (project ? !readOnly(project) : group?.frozen === false);

const isMember = (caller: UserOrAnonymous, { project, group }: Awardable): boolean =>
  roleIn(caller, project ?? group ?? { access: 0 }, 'guest');

/** Who may give emoji to what they read, and take theirs back. */
export const awardEmojiPolicy = policy({
  read_award_emoji: () => true,
  /** Everybody signed in; where the discussion is locked, members. */
  award_emoji: (caller: UserOrAnonymous, awardable: Awardable) =>
    !caller.anonymous && standing(awardable) && (awardable.discussion_locked !== true || isMember(caller, awardable)),
  take_back_award_emoji: (caller: UserOrAnonymous, awardable: Awardable) => !caller.anonymous && standing(awardable),
});
