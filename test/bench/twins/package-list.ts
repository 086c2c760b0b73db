import { pageHeaders } from './page-headers.js';
import { ACCESS } from './twin-database.js';
import type { Answer, TwinDatabase } from './twin-database.js';

interface PackageRow {
  access: number;
  total: number;
  full_path: string;
  id: number;
  name: string;
  version: string;
  package_type: string;
  status: string;
  created_at: Date;
  last_downloaded_at: Date | null;
}

const REPORTER = 20;
const PER_PAGE = 20;

const PAGE = `
  with project as (
    select p.id, r.path as full_path, ${ACCESS} as access
      from projects p join namespaces n on n.id = p.namespace_id join routes r on r.project_id = p.id where p.id = $2)
  select project.access, project.full_path, k.id, k.name, k.version, k.package_type, k.status, k.created_at,
         k.last_downloaded_at,
         (select count(*)::int from (select 1 from packages x where x.project_id = $2 and x.status = 'default' limit 10001) seen) as total
    from project join packages k on k.project_id = project.id and k.status = 'default'
   order by k.created_at, k.id limit ${PER_PAGE + 1}`;

/** The newest pipelines of the packages of a page. */
const PIPELINES = `
  select requested.id from unnest($1::bigint[]) as requested (id)
    cross join lateral (select kp.pipeline_id from package_pipelines kp where kp.package_id = requested.id
                         order by kp.pipeline_id desc limit 5) newest`;

/** The first page of `GET /projects/:id/packages`, of packages that came from no pipeline. */
export async function packageList(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const projectId = Number(match[1]);
  const found = await db.rows<PackageRow>('packages', PAGE, [userId, projectId]);
  const [first] = found;
  if (!first || first.access < REPORTER) return null;
  const page = found.slice(0, PER_PAGE);
  const tied = await db.rows<object>('pipelines of packages', PIPELINES, [page.map(({ id }) => id)]);
  if (tied.length > 0) throw new Error('The twin knows no pipelines of packages.');
  const base = `${db.externalUrl}/api/v4/projects/${projectId}/packages`;
  return {
    body: JSON.stringify(
      page.map((row) => ({
        id: row.id,
        name: row.name,
        version: row.version,
        package_type: row.package_type,
        status: row.status,
        _links: {
          web_path: `/${row.full_path}/-/packages/${row.id}`,
          delete_api_path: `${base}/${row.id}`,
        },
        created_at: row.created_at,
        last_downloaded_at: row.last_downloaded_at,
        tags: [],
        pipeline: null,
        pipelines: [],
      })),
    ),
    headers: pageHeaders(base, 'page=#&per_page=20', PER_PAGE, first.total),
  };
}
