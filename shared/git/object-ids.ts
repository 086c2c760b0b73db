import { InvalidGitInput } from './errors.js';

/** What git calls "no object": the old value of a ref that must not exist. */
export const zeroSha = '0'.repeat(40);

/** Whether this is a full object id: 40 lower-case hex digits. */
export function isSha(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

/** Whether a text is the full id of a commit, in any case: it then refers to that commit, never to a branch or tag. */
export function isFullId(text: string): boolean {
  return isSha(text.toLowerCase());
}

/** Throws InvalidGitInput unless this is a full object id, so that it can be an argument of git. */
export function requireSha(text: string): string {
  if (!isSha(text)) throw new InvalidGitInput(`not an object id: ${JSON.stringify(text)}`);
  return text;
}
