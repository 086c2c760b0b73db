import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { rowToldToPages, tellPages } from '../../core/page-changes/page-changes.js';
import { raw, sql } from '../../core/sql.js';
import { Project } from '../../tenancy/projects/project.entity.js';

/** Tells pages of each project whose import moved on. */
const TOLD = sql`${rowToldToPages('project_imports', raw('projects.id'))} as "told"`;

/** Notes that a repository is being brought in. @returns false when the project is gone, or an earlier try did it */
export async function startImport(ctx: Context, projectId: number): Promise<boolean> {
  const started = await ctx.query(sql`
    update projects set import_status = 'started'
     where id = ${projectId} and import_status in ('scheduled', 'started') returning ${TOLD}`);
  return started.length > 0;
}

/** Ends the import of a project, or of several, without a repository: they stay, empty, and say why. @param projects ids */
export async function failImport(
  ctx: Context<Caller>,
  projects: number | readonly number[],
  reason: string,
): Promise<void> {
  await ctx.query(sql`
    update projects set import_status = 'failed', import_error = ${reason}
     where id = any(${[projects].flat()}::bigint[]) and import_status in ('scheduled', 'started') returning ${TOLD}`);
}

/** Ends the import of a project whose repository is there; what was left out of that stays told. */
export async function finishImport(ctx: Context, projectId: number): Promise<void> {
  await ctx.em.nativeUpdate(Project, { id: projectId, import_status: 'started' }, { import_status: 'finished' });
  await tellPages(ctx, 'project_imports', [projectId]);
}

/** Where nothing was ever pushed there is nothing to bring: the first write makes the repository too. */
export async function finishEmptyImport(ctx: Context, projectId: number, leftOut: string | null = null): Promise<void> {
  // Plain SQL: outside of a transaction it is one statement and one round trip.
  await ctx.query(sql`
    update projects set import_status = 'finished', import_error = ${leftOut}
     where id = ${projectId} and import_status = 'started' returning ${TOLD}`);
}
