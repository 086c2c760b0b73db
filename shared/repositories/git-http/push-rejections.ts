import { MOST_REFS } from '../../git/index.js';
import type { WriteRejection } from '../repositories/ref-rules.js';

/** Messages of refusals on the pushing user's terminal. */
export const REJECTION_MESSAGES: Record<WriteRejection, string> = {
  role: 'You are not allowed to push code to this project.',
  first_branch: 'You are not allowed to push the first branch of this project.',
  default_gone: 'The default branch of a project cannot be deleted.',
  protected_branch_new: 'You are not allowed to create protected branches on this project.',
  protected_branch_forward: 'You are not allowed to push code to protected branches on this project.',
  protected_branch_forced: 'You are not allowed to force push code to a protected branch on this project.',
  protected_branch_gone: 'A protected branch cannot be deleted by a push. Unprotect it first.',
  protected_tag_new: 'You are not allowed to create this tag as it is protected.',
  protected_tag_forward: 'Protected tags cannot be updated.',
  protected_tag_forced: 'Protected tags cannot be updated.',
  protected_tag_gone: 'Protected tags cannot be deleted by a push.',
};

export const ATOMIC = 'atomic push failure';
export const CHANGED = 'It has changed meanwhile. Fetch first.';
export const ABSENT = 'There is no such ref.';
export const NAME_RESERVED = "Refs of this name are the service's own, or are not taken.";
export const NO_NAME = 'This is no name for a branch or tag.';
export const TOO_MANY_OTHERS = `A project keeps ${MOST_REFS} refs that are neither branches nor tags.`;
export const TWICE = 'One push changes it twice.';
export const NO_OBJECT = 'There is no such object.';
export const NO_COMMIT = 'A branch holds a commit, and a tag leads to one.';
export const TOO_MANY_PROTECTED = 'Push fewer protected branches at a time.';
export const TRY_AGAIN = 'It could not be written. Try again.';
export const BESIDE = 'A branch or tag of its name cannot stand beside those that are there: `a` beside `a/b`.';
export const NO_OBJECTS = 'the objects were not taken';
export const SHALLOW = 'shallow update not allowed: the history is cut off here. Run git fetch --unshallow first.';
export const ONE_BRANCH = 'Wikis and snippets have one branch, which stays: no other branch and no tag is taken.';
