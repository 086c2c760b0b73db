import type { Context } from '../../core/context/context.js';
import { projectsOfIds } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';

interface InProject {
  readonly project_id: number;
}

/** The projects of issues and merge requests that the caller may read. */
export async function projectsOfIssuables<T extends InProject>(
  ctx: Context,
  records: readonly T[],
): Promise<Map<T, ProjectRecord>> {
  const ids = [...new Set(records.map(({ project_id }) => project_id))];
  const rows = await projectsOfIds(ctx, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    records.flatMap((record): [T, ProjectRecord][] => {
      const project = byId.get(record.project_id);
      return project ? [[record, project]] : [];
    }),
  );
}
