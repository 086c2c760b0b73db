import { pageHeaders } from './page-headers.js';
import { BASIC_COLUMNS, basicProjectJson } from './basic-project-json.js';
import type { BasicRow } from './basic-project-json.js';
import { PROJECT_TABLES } from './project-json.js';
import type { Answer, TwinDatabase } from './twin-database.js';

const LIVE = (alias: string) => `(${alias}.expires_on is null or ${alias}.expires_on > current_date)`;

/** Roles of user `$1` in groups, direct and by shares of groups, of `level` or above. */
const groupRoles = (level: number) => `
  select m.namespace_id from group_members m where m.user_id = $1 and m.access_level >= ${level} and ${LIVE('m')}
  union all
  select s.namespace_id from group_members m join group_shares s on s.group_id = m.namespace_id
   where m.user_id = $1 and m.access_level >= ${level} and ${LIVE('m')} and s.group_access >= ${level} and ${LIVE('s')}`;

/** The same roles with their levels. */
const groupLevels = `
  select m.namespace_id, m.access_level as level from group_members m where m.user_id = $1 and ${LIVE('m')}
  union all
  select s.namespace_id, least(m.access_level, s.group_access)
    from group_members m join group_shares s on s.group_id = m.namespace_id
   where m.user_id = $1 and m.access_level >= 10 and ${LIVE('m')} and ${LIVE('s')}`;

/** Projects in which user `$1` has `level` or above, by the rule of the service. */
export const getMember = (level: number) => `(
  p.id = any(array(
    select m.project_id from project_members m where m.user_id = $1 and m.access_level >= ${level} and ${LIVE('m')}
    union all
    select ps.project_id from (${groupRoles(level)}) g
      join namespaces invited on invited.traversal_ids @> array[g.namespace_id]
      join project_shares ps on ps.group_id = invited.id
      join projects shared on shared.id = ps.project_id
     where ps.group_access >= ${level} and ${LIVE('ps')}
       and not exists (select 1 from group_settings gs where gs.namespace_id = shared.namespace_id and gs.share_with_group_lock)))
  or p.namespace_id = any(array(
    select o.id from namespaces o where o.owner_id = $1
    union all
    select d.id from (${groupRoles(level)}) g join namespaces d on d.traversal_ids @> array[g.namespace_id])))`;

const SEARCH = `(p.path ilike $2 or p.name ilike $2 or p.description ilike $2)`;
const SIMILARITY = `(similarity(p.path, $3)::float8 + 0.7::float8 * similarity(p.name, $3)
  + 0.2::float8 * similarity(coalesce(p.description, ''), $3))`;

/** The access level of user `$1` in project `p` of namespace `n`: it decides whether code is visible. */
const access = `greatest(
  case when n.owner_id = $1 then 50 else 0 end,
  coalesce((select max(m.access_level) from project_members m
    where m.project_id = p.id and m.user_id = $1 and ${LIVE('m')}), 0),
  coalesce((select max(g.level) from (${groupLevels}) g where g.namespace_id = any(n.traversal_ids)), 0),
  coalesce((select max(least(ps.group_access, g.level))
     from project_shares ps join namespaces invited on invited.id = ps.group_id
     join (${groupLevels}) g on g.namespace_id = any(invited.traversal_ids) and g.level >= 10
    where ps.project_id = p.id and ${LIVE('ps')}
      and not exists (select 1 from group_settings gs where gs.namespace_id = p.namespace_id and gs.share_with_group_lock)), 0))`;

interface ListQuery {
  where: string[];
  order: string;
  values: unknown[];
}

/** Converts a query string to conditions with parameters from `$2`. */
function parseQuery(query: URLSearchParams): ListQuery {
  const where: string[] = [];
  const values: unknown[] = [];
  const search = query.get('search');
  if (query.get('owned')) where.push(getMember(50));
  const level = query.get('min_access_level');
  if (level) where.push(getMember(Number(level)));
  if (search) {
    where.push(SEARCH);
    values.push(`%${search}%`);
  }
  const topic = query.get('topic');
  if (topic) {
    where.push(`p.id in (
      select pt.project_id from project_topics pt
       where pt.topic_id = (select t.id from topics t where lower(t.name) = lower($2)))`);
    values.push(topic);
  }
  if (query.get('order_by') === 'star_count') return { where, values, order: 'p.star_count desc, p.id desc' };
  if (query.get('order_by') !== 'similarity') return { where, values, order: 'p.id desc' };
  return { where: [...where, getMember(10)], values, order: `${SIMILARITY} desc, p.id desc` };
}

/** The first page of `GET /projects` with simple records, for a user or an anonymous caller. */
export async function simpleProjectList(
  db: TwinDatabase,
  userId: number | null,
  match: RegExpExecArray,
): Promise<Answer> {
  const text = match[1] ?? '';
  const query = new URLSearchParams(text);
  const { where, values, order } = parseQuery(query);
  const open =
    userId === null ? `p.visibility = 'public'` : `(p.visibility in ('public', 'internal') or ${getMember(10)})`;
  const all = ['p.removal_started_at is null', open, ...where].join(' and ');
  // `$1` is the user in all of them: a statement must name each of its parameters.
  const callerParam = `$1::bigint is not distinct from $1`;
  const bound = query.get('order_by') === 'similarity' ? [...values, query.get('search')] : values;
  const rows = await db.rows<BasicRow>(
    `list ${userId === null} ${text}`,
    `select ${BASIC_COLUMNS}, ${userId === null ? '0' : access} as access from ${PROJECT_TABLES} where ${callerParam} and ${all} order by ${order} limit 21`,
    [userId, ...bound],
  );
  const [count] =
    rows.length > 20
      ? await db.rows<{ total: number }>(
          `count ${userId === null} ${text}`,
          `select count(*)::int as total from (select 1 from projects p where ${callerParam} and ${all} limit 10001) seen`,
          [userId, ...values],
        )
      : [];
  const total = count?.total ?? rows.length;
  return {
    body: JSON.stringify(
      rows
        .slice(0, 20)
        .map((row) => basicProjectJson(row, db.externalUrl, row.visibility !== 'private' || row.access >= 20)),
    ),
    headers: pageHeaders(
      `${db.externalUrl}/api/v4/projects`,
      `${text}&page=#&per_page=20`,
      20,
      total > 10_000 ? null : total,
    ),
  };
}
