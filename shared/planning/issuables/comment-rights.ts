import type { UserOrAnonymous } from '../../core/context/callers.js';
import { roleIn } from '../../core/operations/policy.js';
import type { WithAccess } from '../../core/operations/policy.js';

/** Whether the caller may comment on what they read there: only members where the discussion is locked. */
export const mayComment = (
  caller: UserOrAnonymous,
  container: WithAccess & { readonly open: boolean },
  locked: boolean,
): boolean => !caller.anonymous && container.open && (!locked || roleIn(caller, container, 'guest'));
