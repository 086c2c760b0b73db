import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { endArchiveImport } from '../archive-imports/import-state.js';
import { failGroupImports, importGroups } from '../group-imports/group-import.jobs.js';
import { failProjectArchives, importProjectArchives } from './project-import.jobs.js';
import { failProjectImport } from './run-project-import.js';

const LOST = 'The job of the import was lost.';
const AT_ONCE = 100;
const JOBS = [importGroups, failGroupImports, importProjectArchives, failProjectArchives].map(({ name }) => name);

/** Ends imports that wait for a job which will never run, as jobs that somebody deleted. Safe to repeat. @returns how many */
export async function endLostImports(ctx: Context): Promise<number> {
  const lost = await ctx.query<{ id: number; project_id: number | null }>(sql`
    select i.id as "id", i.project_id as "project_id" from archive_imports i
     where i.status in ('created', 'started') and not exists (
       select 1 from pgboss.job j
        where j.name = any(${JOBS}::text[]) and j.state in ('created', 'retry', 'active')
          and j.data ->> 'import_id' = i.id::text)
     order by i.id limit ${AT_ONCE}`);
  for (const { id, project_id: projectId } of lost)
    if (projectId === null) await endArchiveImport(ctx, id, LOST);
    else await failProjectImport(ctx, { importId: id, projectId }, LOST);
  return lost.length;
}
