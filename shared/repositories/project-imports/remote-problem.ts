import {
  GitFailed,
  GitOutputTooLarge,
  GitTimeout,
  LEAST_RATE,
  MOST_REFS,
  RemoteSilent,
  RemoteSlow,
  RemoteTooLarge,
  TooManyRefs,
} from '../../git/index.js';
import { RemoteUnavailable, UNREACHABLE } from './locate-remote.js';

const MIB = 1024 * 1024;

/** Message for the user if the user or the remote is the cause of a failure; null if the cause is on our side. */
export function remoteProblem(error: unknown): string | null {
  if (error instanceof RemoteUnavailable) return error.message;
  if (error instanceof GitTimeout) return 'The remote repository took too long.';
  if (error instanceof RemoteSilent)
    return `The remote repository said nothing for ${Math.round(error.silenceMs / 1000)} seconds.`;
  if (error instanceof RemoteSlow)
    return `The remote repository sent less than ${LEAST_RATE} bytes a second for ${Math.round(error.slowMs / 1000)} seconds.`;
  if (error instanceof TooManyRefs || error instanceof GitOutputTooLarge)
    return `The remote repository has more than ${MOST_REFS} branches and tags.`;
  if (error instanceof RemoteTooLarge)
    return `The remote repository is larger than the limit of ${error.maxBytes / MIB} MiB.`;
  if (!(error instanceof GitFailed)) return null;
  // A full disk and the like end git as well; those are worth another try.
  if (/No space left|Disk quota|unable to (create|write)/i.test(error.stderr)) return null;
  return /fsck error|bad object|index-pack failed|unpack-objects/i.test(error.stderr)
    ? 'The remote repository is damaged.'
    : UNREACHABLE;
}
