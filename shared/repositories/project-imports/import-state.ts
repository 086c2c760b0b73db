import { sql } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { rowPageNotification, notifyPages } from '../../core/page-changes/page-changes.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { Project } from '../../tenancy/projects/project.entity.js';

/** Notifies pages of each project whose import status changed. */
const NOTIFICATION = rowPageNotification('project_imports', sql.ref('projects.id')).as('notified');

const UNDER_WAY = [constant('scheduled'), constant('started')];

/**
 * Records that an import has started. @returns false if the project was deleted, or an earlier attempt completed the
 * import
 */
export async function startImport(ctx: Context, projectId: number): Promise<boolean> {
  const started = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .updateTable('projects')
    .set({ import_status: constant('started') })
    .where('id', '=', projectId)
    .where('import_status', 'in', UNDER_WAY)
    .returning(NOTIFICATION)
    .execute();
  return started.length > 0;
}

/** Ends the import of a project, or of several, without a repository: they stay, empty, and say why. @param projects ids */
export async function failImport(
  ctx: Context<Caller>,
  projects: number | readonly number[],
  reason: string,
): Promise<void> {
  await ctx.em
    .getKysely<RepositoriesDatabase>()
    .updateTable('projects')
    .set({ import_status: constant('failed'), import_error: reason })
    .where('id', '=', anyOf([projects].flat(), 'bigint'))
    .where('import_status', 'in', UNDER_WAY)
    .returning(NOTIFICATION)
    .execute();
}

/** Finishes the import of a project with an existing repository; the message about omitted parts remains. */
export async function finishImport(ctx: Context, projectId: number): Promise<void> {
  await ctx.em.nativeUpdate(Project, { id: projectId, import_status: 'started' }, { import_status: 'finished' });
  await notifyPages(ctx, 'project_imports', [projectId]);
}

/** An empty repository needs no import: the first write creates it as well. */
export async function finishEmptyImport(ctx: Context, projectId: number, leftOut: string | null = null): Promise<void> {
  await ctx.em
    .getKysely<RepositoriesDatabase>()
    .updateTable('projects')
    .set({ import_status: constant('finished'), import_error: leftOut })
    .where('id', '=', projectId)
    .where('import_status', '=', constant('started'))
    .returning(NOTIFICATION)
    .execute();
}
