import { ApiProblem } from '../client/problem.js';
import type { ContainerKind } from './address.js';
import { uploadProblem } from './words.js';

/** What a refusal to make a project or group means, and at which field: the API tells of visibility by its level. */
export function makingProblem(given: Error | null, kind: ContainerKind): Error | null {
  if (!(given instanceof ApiProblem)) return given;
  const { visibility_level: level, ...fields } = given.fields;
  const { message, status, requestId, hint } = given;
  const told = level ? { ...fields, visibility: level } : fields;
  return uploadProblem(new ApiProblem(message, status, requestId, told, hint), kind);
}
