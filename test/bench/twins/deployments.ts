import { userColumns, userJson } from './issue-json.js';
import type { UserRow } from './issue-json.js';
import { pageHeaders } from './page-headers.js';
import { ACCESS } from './twin-database.js';
import type { Answer, TwinDatabase } from './twin-database.js';

const REPORTER = 20;
const DEVELOPER = 30;
const PER_PAGE = 20;

const PROJECT = `
  select p.id, ${ACCESS} as access from projects p join namespaces n on n.id = p.namespace_id where p.id = $2`;

/** Whether a user has a role in a project, by one statement. */
async function hasRole(db: TwinDatabase, userId: number, projectId: number): Promise<boolean> {
  const [project] = await db.rows<{ access: number }>('project', PROJECT, [userId, projectId]);
  return project !== undefined && project.access >= REPORTER;
}

/** `GET /projects/:id/dora/metrics` of a range of days in production. */
export async function doraMetrics(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const [projectId, metric, start, end] = [Number(match[1]), match[2] as string, match[3], match[4]];
  if (metric !== 'deployment_frequency' || !(await hasRole(db, userId, projectId))) return null;
  const rows = await db.rows<{ date: string; value: number }>(
    'dora',
    `select m.date::text as date, sum(m.deployment_frequency)::float8 as value
       from environments e join dora_daily_metrics m on m.environment_id = e.id
      where e.project_id = $1 and e.tier = 'production' and m.date between $2::date and $3::date group by m.date order by m.date`,
    [projectId, start, end],
  );
  return { body: JSON.stringify(rows) };
}

interface EnvironmentRow {
  id: number;
  name: string;
  slug: string;
  external_url: string | null;
  created_at: string;
  updated_at: string;
  state: string;
  tier: string;
}

const basicEnvironment = (row: EnvironmentRow) => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  external_url: row.external_url,
  created_at: new Date(row.created_at).toISOString(),
  updated_at: new Date(row.updated_at).toISOString(),
});

/** `GET /projects/:id/environments`, of those without a description. */
export async function environmentList(
  db: TwinDatabase,
  userId: number,
  match: RegExpExecArray,
): Promise<Answer | null> {
  const projectId = Number(match[1]);
  if (!(await hasRole(db, userId, projectId))) return null;
  const rows = await db.rows<EnvironmentRow>(
    'environments',
    `select e.* from environments e where e.project_id = $1 order by e.id limit ${PER_PAGE + 1}`,
    [projectId],
  );
  const body = rows.slice(0, PER_PAGE).map((row) => ({
    ...basicEnvironment(row),
    description: null,
    state: row.state,
    tier: row.tier,
    auto_stop_at: null,
    auto_stop_setting: 'always',
    kubernetes_namespace: null,
    flux_resource_path: null,
    description_html: '',
  }));
  return {
    body: JSON.stringify(body),
    headers: pageHeaders(
      `${db.externalUrl}/api/v4/projects/${projectId}/environments`,
      `page=#&per_page=${PER_PAGE}`,
      PER_PAGE,
      rows.length,
    ),
  };
}

interface DeploymentRow {
  id: number;
  iid: number;
  ref: string;
  sha: string;
  created_at: Date;
  updated_at: Date;
  finished_at: Date | null;
  tag: boolean;
  status: string;
  person: UserRow;
  environment: EnvironmentRow;
  access: number;
}

const COLUMNS = `
  d.id, d.iid, d.ref, d.sha, d.created_at, d.updated_at, d.finished_at, d.tag, d.status, ${userColumns('u')} as person,
  row_to_json(e) as environment`;
const TABLES = `join environments e on e.id = d.environment_id join users u on u.id = d.user_id`;

const deploymentJson = (row: DeploymentRow, base: string) => ({
  id: row.id,
  iid: row.iid,
  ref: row.ref,
  sha: row.sha,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
  tag: row.tag,
  status: row.status,
  user: userJson(row.person, base),
  deployable: null,
  environment: basicEnvironment(row.environment),
});

/** The fields of a deployment that needs no approval. */
const NO_APPROVALS = { pending_approval_count: 0, approvals: [], approval_summary: { rules: [] } };

/** `GET /projects/:id/deployments`, made through the API. */
export async function deploymentList(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const projectId = Number(match[1]);
  if (!(await hasRole(db, userId, projectId))) return null;
  const [rows, [count]] = await Promise.all([
    db.rows<DeploymentRow>(
      'deployments',
      `select ${COLUMNS} from (
         select d.* from deployments d where d.project_id = $1 order by d.id limit ${PER_PAGE + 1}) d ${TABLES} order by d.id`,
      [projectId],
    ),
    db.rows<{ total: number }>(
      'deployments count',
      'select count(*)::int as total from (select 1 from deployments d where d.project_id = $1 limit 10001) seen',
      [projectId],
    ),
  ]);
  return {
    body: JSON.stringify(rows.slice(0, PER_PAGE).map((row) => deploymentJson(row, db.externalUrl))),
    headers: pageHeaders(
      `${db.externalUrl}/api/v4/projects/${projectId}/deployments`,
      `page=#&per_page=${PER_PAGE}`,
      PER_PAGE,
      count?.total ?? 0,
    ),
  };
}

/** `GET /projects/:id/deployments/:deployment_id`, to an environment that is not protected. */
export async function deploymentRead(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const [row] = await db.rows<DeploymentRow>(
    'deployment',
    `with project as (${PROJECT})
     select project.access, ${COLUMNS} from project join deployments d on d.project_id = project.id ${TABLES} where d.id = $3`,
    [userId, Number(match[1]), Number(match[2])],
  );
  if (!row || row.access < REPORTER) return null;
  return { body: JSON.stringify({ ...deploymentJson(row, db.externalUrl), ...NO_APPROVALS }) };
}

const INSERT = `
  with project as (${PROJECT}),
  place as (
    select e.* from project join environments e on e.project_id = project.id and e.name = $3
     where project.access >= ${DEVELOPER} and exists (
       select 1 from repository_refs r where r.project_id = project.id and r.full_name = 'refs/heads/' || $4 and r.target_sha = $5)
       for update of e),
  counter as (
    insert into project_counters (project_id, kind, last_value) select place.project_id, 'deployment', 1 from place
    on conflict (project_id, kind) do update set last_value = project_counters.last_value + 1 returning last_value),
  d as (
    insert into deployments (project_id, iid, environment_id, ref, tag, sha, status, user_id, created_at, updated_at)
    select place.project_id, counter.last_value, place.id, $4, false, $5, $6, $1, $7, $7 from place, counter returning *)
  select ${COLUMNS} from d join place e on e.id = d.environment_id join users u on u.id = d.user_id`;

/** `POST /projects/:id/deployments` of the head of a branch, that runs, by one statement. */
export async function newDeployment(
  db: TwinDatabase,
  userId: number,
  match: RegExpExecArray,
  body: string,
): Promise<Answer | null> {
  const { environment, ref, sha, status } = JSON.parse(body) as Record<string, string>;
  const values = [userId, Number(match[1]), environment, ref, sha, status, new Date()];
  const [row] = await db.rows<DeploymentRow>('new deployment', INSERT, values);
  if (!row) return null;
  return { status: 201, body: JSON.stringify({ ...deploymentJson(row, db.externalUrl), ...NO_APPROVALS }) };
}
