import type { Project } from '../../../data/api.js';
import { useMayPush } from '../../../data/branch-rights.js';
import { useSession } from '../../../data/session.js';

/** Whether the user may edit the file, and the reason for what they may not. */
export interface EditRight {
  mayEdit: boolean;
  /** A sentence; null without restrictions. */
  why: string | null;
  /** The branch to commit to by default. */
  target: string;
}

/**
 * The user's right to edit a file on a branch: who may push to the project, but not to a protected branch, commits to a
 * new branch.
 * @param pushRight whether the branch lets the user push; null if there is no branch yet
 */
export function useEditRight(project: Project, branch: string, pushRight: boolean | null): EditRight {
  const session = useSession().data;
  const person = session?.user ?? null;
  const mayPush = useMayPush(project.path_with_namespace);
  const readOnly = (why: string | null) => ({ mayEdit: false, why, target: branch });
  if (session === undefined) return readOnly(null);
  if (person === null) return readOnly('The file is read-only. Sign in to edit it.');
  if (project.archived) return readOnly('The file is read-only because this project is archived.');
  if (pushRight === true || (mayPush && pushRight === null)) return { mayEdit: true, why: null, target: branch };
  if (!mayPush)
    return readOnly('The file is read-only. You need at least the Developer role in this project to edit it.');
  return {
    mayEdit: true,
    why: `You can't push to ${branch} because it is protected. Your changes are committed to a new branch.`,
    target: `${person.username}-patch-1`,
  };
}
