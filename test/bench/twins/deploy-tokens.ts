import { randomBytes } from 'node:crypto';
import { pageHeaders } from './page-headers.js';
import { ACCESS } from './twin-database.js';
import type { Answer, TwinDatabase } from './twin-database.js';

interface TokenRow {
  access: number;
  total: number;
  id: number;
  name: string;
  username: string | null;
  expires_at: Date | null;
  scopes: string[];
  revoked: boolean;
  created_at: Date;
  last_used_at: Date | null;
  creator_id: number | null;
  creator_username: string;
  creator_public_email: string | null;
  creator_name: string;
  creator_state: string;
}

const MAINTAINER = 40;
const PER_PAGE = 20;

const COLUMNS = `t.id, t.name, t.username, t.expires_at, t.scopes, t.revoked, t.created_at, t.last_used_at,
  c.id as creator_id, c.username as creator_username, c.public_email as creator_public_email, c.name as creator_name,
  c.state as creator_state`;

const PROJECT = `
  select p.id, p.namespace_id, r.path as full_path, ${ACCESS} as access
    from projects p join namespaces n on n.id = p.namespace_id join routes r on r.project_id = p.id where p.id = $2`;

const PAGE = `
  with project as (${PROJECT})
  select project.access, (select count(*)::int from (select 1 from deploy_tokens x where x.project_id = $2 limit 10001) seen) as total,
         ${COLUMNS}
    from project join deploy_tokens t on t.project_id = project.id left join users c on c.id = t.created_by_id
   order by t.id limit ${PER_PAGE + 1}`;

function tokenJson(row: TokenRow, base: string) {
  const expires = row.expires_at;
  return {
    id: row.id,
    name: row.name,
    username: row.username ?? `service+deploy-token-${row.id}`,
    expires_at: expires,
    scopes: row.scopes,
    revoked: row.revoked,
    expired: expires !== null && expires.getTime() <= Date.now(),
    created_at: row.created_at,
    last_used_at: row.last_used_at,
    created_by:
      row.creator_id === null
        ? null
        : {
            id: row.creator_id,
            username: row.creator_username,
            public_email: row.creator_public_email ?? '',
            name: row.creator_name,
            state: row.creator_state,
            locked: false,
            avatar_url: `${base}/-/identicons/users/${row.creator_id}.svg`,
            web_url: `${base}/${row.creator_username}`,
          },
  };
}

/** The first page of `GET /projects/:id/deploy_tokens`. */
export async function deployTokenList(
  db: TwinDatabase,
  userId: number,
  match: RegExpExecArray,
): Promise<Answer | null> {
  const projectId = Number(match[1]);
  const found = await db.rows<TokenRow>('deploy tokens', PAGE, [userId, projectId]);
  const [first] = found;
  if (!first || first.access < MAINTAINER) return null;
  const url = `${db.externalUrl}/api/v4/projects/${projectId}/deploy_tokens`;
  return {
    body: JSON.stringify(found.slice(0, PER_PAGE).map((row) => tokenJson(row, db.externalUrl))),
    headers: pageHeaders(url, `page=#&per_page=${PER_PAGE}`, PER_PAGE, first.total),
  };
}

const INSERT = `
  with project as (${PROJECT}),
  held as (select n.id from namespaces n join project on project.namespace_id = n.id for key share of n),
  t as (
    insert into deploy_tokens (project_id, name, digest, scopes, created_by_id, created_at, updated_at)
    select project.id, $3, $4, $5::text[], $1, $6, $6 from project, held where project.access >= ${MAINTAINER} returning *),
  noted as (
    insert into audit_events (namespace_id, entity_type, entity_id, entity_path, author_id, author_name, event_name,
                              target_type, target_id, target_details, message, ip_address, created_at)
    select project.namespace_id, 'Project', project.id, project.full_path, $1, c.name, 'deploy_token_created', 'DeployToken',
           t.id, t.name, 'Created deploy token ' || t.name || ': ' || array_to_string(t.scopes, ' ') || ', without end',
           '127.0.0.1', $6
      from t, project, users c where c.id = $1)
  select project.access, 0 as total, ${COLUMNS} from t, project, users c where c.id = $1`;

/** `POST /projects/:id/deploy_tokens` with a name and scopes: token and audit event by one statement. */
export async function newDeployToken(
  db: TwinDatabase,
  userId: number,
  match: RegExpExecArray,
  body: string,
): Promise<Answer | null> {
  const { name, scopes } = JSON.parse(body) as { name?: unknown; scopes?: unknown };
  if (typeof name !== 'string' || name === '' || !Array.isArray(scopes)) return null;
  const token = `gdt-${randomBytes(20).toString('base64url').slice(0, 26)}`;
  const values = [userId, Number(match[1]), name, db.digest(token), scopes, new Date()];
  const [row] = await db.rows<TokenRow>('new deploy token', INSERT, values);
  return row ? { status: 201, body: JSON.stringify({ ...tokenJson(row, db.externalUrl), token }) } : null;
}
