import type { Context } from '../core/context.js';
import { sql } from '../core/sql.js';
import { pathProblem } from '../namespaces/paths.js';
import type { ProjectTarget } from './project-target.js';
import { VISIBILITY } from './visibility.js';

export { VISIBILITY } from './visibility.js';

export const TAKEN = 'has already been taken';

/** Emoji are more than one character: joiner and presentation selector belong to them. */
const PROJECT_NAME =
  /^(?:\p{L}|\p{N}|\p{Extended_Pictographic}|_)(?:\p{L}|\p{N}|\p{M}|\p{Pd}|\p{Extended_Pictographic}|\u200d|\ufe0f|[_. +])*$/u;

/** What is wrong with a project's name. */
export function nameProblems(name: string): string[] {
  if (name.trim() === '') return ["can't be blank"];
  if (name.length > 255) return ['is too long (maximum is 255 characters)'];
  return PROJECT_NAME.test(name)
    ? []
    : [
        "can contain only letters, digits, emoji, '_', '.', '+', dashes, or spaces. It must start with a letter, digit, emoji, or '_'.",
      ];
}

/** A project is never more visible than the group it lies in. */
export function visibilityProblems(
  visibility: string,
  namespace: Pick<ProjectTarget, 'kind' | 'visibility'>,
): string[] {
  if (namespace.kind === 'user') return [];
  const allowed = VISIBILITY.indexOf(visibility as never) <= VISIBILITY.indexOf(namespace.visibility as never);
  return allowed ? [] : [`${visibility} is not allowed in a ${namespace.visibility} group.`];
}

/**
 * Everything that is wrong with the place and the values of a project to be, by field; empty when all is well.
 * Somebody may still be quicker with the path: `claimPath` decides.
 */
export async function placeProblems(
  ctx: Context,
  namespace: ProjectTarget,
  given: { name: string; path: string; visibility: string },
): Promise<Record<string, string[]>> {
  const problems: Record<string, string[]> = {};
  const name = nameProblems(given.name);
  if (name.length > 0) problems.name = name;
  const path = pathProblem(given.path, 'nested');
  if (path) problems.path = [path];
  const visibility = visibilityProblems(given.visibility, namespace);
  if (visibility.length > 0) problems.visibility_level = visibility;
  const taken = await ctx.queryOne<{ path: boolean | null; name: boolean | null }>(sql`
    select (select true from routes where lower(path) = lower(${`${namespace.full_path}/${given.path}`})) as path,
           (select true from projects where namespace_id = ${namespace.id} and name = ${given.name} limit 1) as name`);
  if (taken?.path) problems.path = [...(problems.path ?? []), TAKEN];
  if (taken?.name) problems.name = [...(problems.name ?? []), TAKEN];
  if (taken?.path ?? taken?.name) problems['project_namespace.name'] = [TAKEN];
  return problems;
}
