import { ApiProblem } from '../client/problem.js';
import type { ContainerKind } from './address.js';
import { uploadProblem } from './messages.js';

/** What a refusal to make a project or group means, and at which field: the API tells of visibility by its level. */
export function makingProblem(error: Error | null, kind: ContainerKind): Error | null {
  if (!(error instanceof ApiProblem)) return error;
  const { visibility_level: level, ...fields } = error.fields;
  const { message, status, requestId, hint } = error;
  const formFields = level ? { ...fields, visibility: level } : fields;
  return uploadProblem(new ApiProblem(message, status, requestId, formFields, hint), kind);
}
