import { pageHeaders } from './page-headers.js';
import { LISTED_COLUMNS, FULL_TABLES, projectJson } from './project-json.js';
import type { ProjectRow } from './project-json.js';
import { ACCESS } from './twin-database.js';
import type { Answer, TwinDatabase } from './twin-database.js';

const HOLDS = `m.user_id = $1 and m.access_level >= 10 and (m.expires_on is null or m.expires_on > current_date)`;

/** Projects that user `$1` may see, by the rule of the service. */
const VISIBLE = `(
  p.visibility in ('public', 'internal')
  or p.id = any(array(select m.project_id from project_members m where ${HOLDS}))
  or p.namespace_id = any(array(
    select o.id from namespaces o where o.owner_id = $1
    union all
    select d.id from group_members m join namespaces d on d.traversal_ids @> array[m.namespace_id] where ${HOLDS})))`;

const page = (perPage: number) => `select ${LISTED_COLUMNS}, ${ACCESS} as access from ${FULL_TABLES}
  where ${VISIBLE} order by p.id desc limit ${perPage + 1}`;
const COUNT = `select count(*)::int as total from (select 1 from projects p where ${VISIBLE} limit 10001) seen`;

/** Lists leave the secret out. */
function listed(row: ProjectRow, base: string) {
  const { runners_token: _, ...rest } = projectJson(row, base);
  return rest;
}

/** The first page of `GET /projects`. */
export async function projectList(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer> {
  const perPage = Number(match[1]);
  const rows = await db.rows<ProjectRow>(`projects ${perPage}`, page(perPage), [userId]);
  const [count] = rows.length > perPage ? await db.rows<{ total: number }>('projects count', COUNT, [userId]) : [];
  return {
    body: JSON.stringify(rows.slice(0, perPage).map((row) => listed(row, db.externalUrl))),
    headers: pageHeaders(
      `${db.externalUrl}/api/v4/projects`,
      `per_page=${perPage}&page=#`,
      perPage,
      count?.total ?? rows.length,
    ),
  };
}
