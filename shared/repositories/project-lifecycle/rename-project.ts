import type { Problems } from '../../core/values/errors.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { moveProjectRoute } from '../../tenancy/namespaces/claim-path.js';
import { pathProblem } from '../../tenancy/namespaces/paths.js';
import { conflictsWithWiki } from '../../tenancy/namespaces/wiki-paths.js';
import { projectNameProblems } from '../../tenancy/projects/project.rules.js';
import { TAKEN } from '../../core/values/database-errors.js';
import { constant, sameText } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';

interface Names {
  name?: string | undefined;
  path?: string | undefined;
}

/** Problems with changing the name or path of an existing project; unchanged values are not checked. */
export async function renameProblems(ctx: Context, found: ProjectRecord, names: Names): Promise<Problems> {
  const name = names.name === found.name ? undefined : names.name;
  const path = names.path === found.path ? undefined : names.path;
  const problems: Problems = {};
  const wrong = name === undefined ? [] : projectNameProblems(name);
  if (wrong.length > 0) problems.name = wrong;
  const bad = path === undefined ? null : pathProblem(path, 'nested');
  if (bad) problems.path = [bad];
  if (name === undefined && path === undefined) return problems;
  const full = fullPath(found, path ?? found.path);
  const conflicts = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectNoFrom((eb) => {
      const yes = constant(true).as('yes');
      const others = eb.selectFrom('routes as r').select(yes).where('r.project_id', 'is distinct from', found.id);
      const projects = eb
        .selectFrom('projects as p')
        .select(yes)
        .where('p.namespace_id', '=', found.namespace_id)
        .where('p.name', '=', eb.cast<string>(eb.val(name ?? null), 'text'))
        .where('p.id', '<>', found.id);
      return [
        others.where((of) => sameText(of.ref('r.path'), full)).as('path'),
        others.where(conflictsWithWiki(full, 'project')).limit(1).as('wiki'),
        projects.limit(1).as('name'),
      ];
    })
    .executeTakeFirst();
  if (path !== undefined && conflicts?.path) problems.path = [...(problems.path ?? []), TAKEN];
  if (conflicts?.name ?? (path !== undefined && conflicts?.wiki)) problems.name = [...(problems.name ?? []), TAKEN];
  if (problems.path?.includes(TAKEN) || problems.name?.includes(TAKEN)) problems['project_namespace.name'] = [TAKEN];
  return problems;
}

const fullPath = (found: ProjectRecord, path: string) => `${found.namespace.full_path}/${path}`;

/** Names end in the project's own. */
const fullName = (found: ProjectRecord, name: string) =>
  found.full_name.slice(0, found.full_name.length - found.name.length) + name;

/**
 * Updates a project's full path and name from new last parts; its old path redirects to the new one.
 * @throws Invalid if a concurrent request took the path
 */
export async function renameRoute(
  ctx: Context,
  found: ProjectRecord,
  { name, path }: { name: string; path: string },
): Promise<void> {
  if (name === found.name && path === found.path) return;
  const from = { path: found.full_path, name: found.full_name };
  const to = { path: fullPath(found, path), name: fullName(found, name) };
  if (!(await moveProjectRoute(ctx, found.id, from, to)))
    throw new Invalid({ path: [TAKEN], 'project_namespace.name': [TAKEN] });
}
