import type { Container } from '../../../data/containers.js';
import { ApiProblem, rulesInText } from '../../../data/problem.js';
import type { CountedPlan } from './uploading.js';

const FORBIDDEN = 403;
const NOT_FOUND = 404;
const TOO_LARGE = 413;
const UNPROCESSABLE = 422;
const UNAVAILABLE = 503;

/** The roles that may export, and view the progress of a group's import. */
const OWNERS = { project: 'its Maintainers and Owners', group: 'its Owners' } as const;

/** An error with a different message than the API's. */
const said = (error: ApiProblem, message: string) =>
  new ApiProblem(message, error.status, error.requestId, error.fields);

const UNAVAILABLE_MESSAGE = "The archive storage isn't responding, or the server is busy. Nothing is lost.";

/** The error of an export, or of the import status, with a clearer message. */
export function archiveProblem(error: Error, kind: Container['kind']): Error {
  if (!(error instanceof ApiProblem)) return error;
  if (error.status === FORBIDDEN) return said(error, `Only ${OWNERS[kind]} can access the archive of a ${kind}.`);
  if (error.status === UNAVAILABLE) return said(error, UNAVAILABLE_MESSAGE);
  return error;
}

/** Assigns an error to the fields it mentions, in any of its formats. */
function atFields(error: ApiProblem): ApiProblem {
  const { message, status, requestId, fields } = error;
  const rules = rulesInText(message);
  if (Object.keys(rules).length > 0) return new ApiProblem(message, status, requestId, rules);
  const { error: messages } = fields;
  if (messages === undefined) return error;
  const text = messages.join(', ');
  return new ApiProblem(text, status, requestId, status === UNPROCESSABLE ? { file: [text] } : {});
}

/** The error of an upload, assigned to its field, with a clearer message. */
export function uploadProblem(cause: Error | null, kind: Container['kind']): Error | null {
  if (!(cause instanceof ApiProblem)) return cause;
  const error = atFields(cause);
  if (error.status === FORBIDDEN)
    return said(
      error,
      `You don't have permission to create a ${kind} there. Choose another namespace, or ask for a higher role.`,
    );
  if (error.status === NOT_FOUND && Object.keys(error.fields).length === 0)
    return said(error, `${error.message}: it doesn't exist, or you don't have access to it.`);
  if (error.status === TOO_LARGE)
    return said(error, 'The archive exceeds the size limit. An administrator can raise it.');
  if (error.status === UNAVAILABLE) return said(error, UNAVAILABLE_MESSAGE);
  return error;
}

/** The display name of an archive's relation. */
export const formatRelation = (relation: string): string => relation.replaceAll('_', ' ');

/** Who of an archive's people are users here. */
export function formatPeople({ users }: Pick<CountedPlan, 'users'>): string {
  const { mapped, mapped_count: mappedCount, unmapped_count: unknown } = users;
  if (mappedCount + unknown === 0) return 'none';
  const names = mapped.map(({ username }) => username).join(', ');
  return `${mappedCount} matched${names === '' ? '' : ` (${names})`}, ${unknown} unmatched: their content is attributed to you`;
}
