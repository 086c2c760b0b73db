import { expressionBuilder } from 'kysely';
import type { Database } from '../database/database.js';
import { anyOf, constant } from '../database/expressions.js';
import { compiled } from '../database/compile.js';
import type { PageChangeKind, WideScope } from './page-changes.js';

/** Projects lie in a domain above. */
const onProjects = expressionBuilder<{ projects: { id: number } }>();

/** Statements that go to the database together. */
const TOGETHER = 20;

/**
 * Which scopes a change of a kind in some projects reaches, by their keys: one statement for each scope, whatever the
 * number of projects.
 */
export async function reachedScopes(
  db: Pick<Database, 'queryAll'>,
  kind: PageChangeKind,
  projectIds: readonly number[],
  scopes: readonly WideScope[],
): Promise<Set<string>> {
  const reached = new Set<string>();
  if (projectIds.length === 0) return reached;
  for (let at = 0; at < scopes.length; at += TOGETHER) {
    const some = scopes.slice(at, at + TOGETHER).flatMap(({ key, kinds }) => {
      const projects = kinds.get(kind);
      return projects ? [{ key, projects }] : [];
    });
    const answers = await db.queryAll(
      some.map(({ projects }) =>
        compiled(
          onProjects
            .selectFrom('projects as p')
            .select('p.id')
            .where('p.id', '=', anyOf(projectIds, 'bigint'))
            .where(projects)
            .limit(constant(1)),
        ),
      ),
    );
    for (const [index, { key }] of some.entries()) if ((answers[index]?.length ?? 0) > 0) reached.add(key);
  }
  return reached;
}
