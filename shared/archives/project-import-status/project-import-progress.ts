import { load } from '../../core/loads.js';
import { sql } from '../../core/sql.js';
import { FAILURES_SHOWN } from '../archive-imports/failures.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';

/** Something of an archive that was not taken over. */
interface StoredFailure {
  id: number;
  created_at: string;
  file: string | null;
  line: number | null;
  relation: string | null;
  reason: string;
}

/** How far the import of an archive is. */
export interface ProjectImportProgress {
  phase: string;
  relations: { relation: string; total: number; imported: number; skipped: number }[];
  failures_count: number;
  /** The first of them. */
  failures: StoredFailure[];
}

/** The newest import of an archive of each project; nothing for one that no archive was sent for. */
export const projectImportProgress = load(
  (project: Readonly<ProjectRecord>) => project.id,
  async (ctx, projects): Promise<Map<number, ProjectImportProgress>> => {
    const rows = await ctx.query<ProjectImportProgress & { project_id: number }>(sql`
      select i.project_id as "project_id", i.phase as "phase",
             (select coalesce(jsonb_agg(jsonb_build_object('relation', p.relation, 'total', p.total,
                                        'imported', p.imported, 'skipped', p.skipped) order by p.relation), '[]')
                from archive_import_relations p where p.import_id = i.id) as "relations",
             (select count(*)::integer from archive_import_failures f where f.import_id = i.id) as "failures_count",
             (select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'file', f.file, 'line', f.line,
                                        'relation', f.relation, 'reason', f.reason, 'created_at',
                                        to_char(f.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
                                        order by f.id), '[]')
                from (select * from archive_import_failures f where f.import_id = i.id order by f.id
                       limit ${FAILURES_SHOWN}) f) as "failures"
        from unnest(${projects.map(({ id }) => id)}::bigint[]) as u (id)
       cross join lateral (select * from archive_imports a where a.project_id = u.id order by a.id desc limit 1) i`);
    return new Map(rows.map(({ project_id: id, ...progress }) => [id, progress]));
  },
);
