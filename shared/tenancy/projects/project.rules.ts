import type { ProjectRecord } from './project.entity.js';
import type { Context } from '../../core/context/context.js';
import { TAKEN, onUniqueViolation } from '../../core/values/database-errors.js';
import { Invalid } from '../../core/values/errors.js';
import { sameText } from '../../core/database/expressions.js';
import { lockName } from '../../core/database/lock-name.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { pathProblem } from '../namespaces/paths.js';
import { conflictsWithWiki } from '../namespaces/wiki-paths.js';
import type { ProjectTarget } from './project-target.js';
import { visibilityRank } from '../namespaces/namespace.entity.js';

/** The index that keeps a name to one project of a namespace. Letters count as they are: `Rocket` is not `rocket`. */
export const NAME_INDEX = 'projects_name_in_namespace';

// Validation found the name free; a concurrent request took it first.
onUniqueViolation(NAME_INDEX, () => new Invalid({ name: [TAKEN], 'project_namespace.name': [TAKEN] }));

/** An emoji can be several characters, including joiners and presentation selectors. */
const PROJECT_NAME =
  /^(?:\p{L}|\p{N}|\p{Extended_Pictographic}|_)(?:\p{L}|\p{N}|\p{M}|\p{Pd}|\p{Extended_Pictographic}|\u200d|\ufe0f|[_. +])*$/u;

/** Problems with a project's name. */
export function projectNameProblems(name: string): string[] {
  if (name.trim() === '') return ["can't be blank"];
  if ([...name].length > 255) return ['is too long (maximum is 255 characters)'];
  return PROJECT_NAME.test(name)
    ? []
    : [
        "can contain only letters, digits, emoji, '_', '.', '+', dashes, or spaces. It must start with a letter, digit, emoji, or '_'.",
      ];
}

/** Of two visibilities the one that fewer people are let in by. */
export const lessVisible = (one: string, other: string) => (visibilityRank(one) < visibilityRank(other) ? one : other);

/** A project is never more visible than the group it lies in. */
export function projectVisibilityProblems(
  visibility: string,
  namespace: Pick<ProjectTarget, 'kind' | 'visibility'>,
): string[] {
  if (namespace.kind === 'user') return [];
  return visibilityRank(visibility) <= visibilityRank(namespace.visibility)
    ? []
    : [`${visibility} is not allowed in a ${namespace.visibility} group.`];
}

/** Nor is a fork made more visible than its upstream. Where the upstream is less visible since, the fork keeps its own. */
async function forkVisibilityProblems(ctx: Context, visibility: string, upstreamId: number): Promise<string[]> {
  const upstream = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('projects as p')
    .select('p.visibility')
    .where('p.id', '=', upstreamId)
    .executeTakeFirst();
  if (!upstream || visibilityRank(visibility) <= visibilityRank(upstream.visibility)) return [];
  return [`${visibility} is not allowed since the fork source project has lower visibility.`];
}

/** Problems with changing the visibility of an existing project; an unchanged one is not checked. */
export async function newVisibilityProblems(
  ctx: Context,
  found: ProjectRecord,
  visibility: string | undefined,
): Promise<Record<string, string[]>> {
  if (visibility === undefined || visibility === found.visibility) return {};
  const problems = [
    ...projectVisibilityProblems(visibility, found.namespace),
    ...(typeof found.forked_from_id === 'number'
      ? await forkVisibilityProblems(ctx, visibility, found.forked_from_id)
      : []),
  ];
  return problems.length > 0 ? { visibility_level: problems } : {};
}

/**
 * All problems with the location and the values of a new project, by field; empty if there are none. A concurrent
 * request may still take the path or the name: `claimPath` and {@link NAME_INDEX} decide.
 */
export async function newProjectProblems(
  ctx: Context,
  namespace: ProjectTarget,
  attributes: { name: string; path: string; visibility: string },
): Promise<Record<string, string[]>> {
  const problems: Record<string, string[]> = {};
  const name = projectNameProblems(attributes.name);
  if (name.length > 0) problems.name = name;
  const path = pathProblem(attributes.path, 'nested');
  if (path) problems.path = [path];
  const visibility = projectVisibilityProblems(attributes.visibility, namespace);
  if (visibility.length > 0) problems.visibility_level = visibility;
  // Concurrent creations with the same name and namespace wait for each other, so that the later one can report all
  // conflicts.
  await lockName(ctx, `project name ${namespace.id} ${attributes.name}`);
  const fullPath = `${namespace.full_path}/${attributes.path}`;
  const conflicts = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectNoFrom((eb) => {
      const routes = eb.selectFrom('routes as r').select(eb.lit(1).as('one'));
      const sameName = eb
        .selectFrom('projects as p')
        .select(eb.lit(1).as('one'))
        .where('p.namespace_id', '=', namespace.id)
        .where('p.name', '=', attributes.name);
      return [
        eb.exists(routes.where((of) => sameText(of.ref('r.path'), fullPath))).as('path'),
        eb.exists(routes.where(conflictsWithWiki(fullPath, 'project'))).as('wiki'),
        eb.exists(sameName).as('name'),
      ];
    })
    .executeTakeFirstOrThrow();
  if (conflicts.path) problems.path = [...(problems.path ?? []), TAKEN];
  if (conflicts.name || conflicts.wiki) problems.name = [...(problems.name ?? []), TAKEN];
  if (conflicts.path || conflicts.name) problems['project_namespace.name'] = [TAKEN];
  return problems;
}
