import type { Pool } from 'pg';
import type { Keys } from '../../shared/core/values/secrets.js';
import { timeZoneDataVersion } from '../../shared/ci/cron/time-zones.js';
import { scheduleInputBinding, scheduleVariableBinding } from '../../shared/ci/pipeline-schedules/schedule-values.js';

/** The records that the measured requests use. */
export interface Dataset {
  /** Of a Maintainer of the group that holds the projects. */
  token: string;
  userId: number;
  projectId: number;
  /** Has two variables, an input and pipelines. */
  scheduleId: number;
}

const TOKEN = 'a-token-that-only-benchmarks-know';
const USERS = 500;
const GROUPS = 40;
const SUBGROUPS = 160;
const PROJECTS = 8000;

/**
 * Users, nested groups, projects, members, schedules and pipelines as in a medium-sized instance. Ids start at 1001, so
 * that each statement can reference those of the previous one.
 */
const STATEMENTS = [
  `insert into users (id, username, name, email, created_at, updated_at)
   select 1000 + i, 'bench' || i, 'Bench User ' || i, 'bench' || i || '@example.com', now(), now()
     from generate_series(1, ${USERS}) i`,
  `insert into namespaces (id, kind, name, path, visibility, traversal_ids, owner_id, created_at, updated_at)
   select 1000 + i, 'user', 'Bench User ' || i, 'bench' || i, 'public', array[1000 + i], 1000 + i, now(), now()
     from generate_series(1, ${USERS}) i`,
  `insert into namespaces (id, kind, name, path, visibility, traversal_ids, created_at, updated_at)
   select 2000 + i, 'group', 'Group ' || i, 'group-' || i, 'private', array[2000 + i], now(), now()
     from generate_series(1, ${GROUPS}) i`,
  `insert into namespaces (id, kind, name, path, visibility, parent_id, traversal_ids, created_at, updated_at)
   select 3000 + i, 'group', 'Team ' || i, 'team-' || i, 'private', 2000 + 1 + (i - 1) % ${GROUPS},
          array[2000 + 1 + (i - 1) % ${GROUPS}, 3000 + i], now(), now()
     from generate_series(1, ${SUBGROUPS}) i`,
  `insert into projects (id, namespace_id, creator_id, name, path, description, visibility, default_branch,
                         repository_created, last_activity_at, created_at, updated_at)
   select 10000 + i, 3000 + 1 + (i - 1) % ${SUBGROUPS}, 1000 + 1 + (i - 1) % ${USERS}, 'Project ' || i, 'project-' || i,
          'What project ' || i || ' is for.', 'private', 'main', true, now(), now(), now()
     from generate_series(1, ${PROJECTS}) i`,
  `insert into project_settings (project_id) select id from projects`,
  `insert into project_statistics (project_id) select id from projects`,
  `insert into routes (namespace_id, path, name)
   select n.id, case when parent.id is null then n.path else parent.path || '/' || n.path end,
          case when parent.id is null then n.name else parent.name || ' / ' || n.name end
     from namespaces n left join namespaces parent on parent.id = n.parent_id where n.id > 1000`,
  `insert into routes (project_id, path, name)
   select p.id, r.path || '/' || p.path, r.name || ' / ' || p.name
     from projects p join routes r on r.namespace_id = p.namespace_id`,
  // User 1001 maintains group 2001; everybody is in one more group and in three projects.
  `insert into group_members (namespace_id, user_id, access_level, created_at) values (2001, 1001, 40, now())`,
  `insert into group_members (namespace_id, user_id, access_level, created_at)
   select 2001 + i % ${GROUPS}, 1000 + i, 30, now() from generate_series(2, ${USERS}) i`,
  `insert into project_members (project_id, user_id, access_level, created_at)
   select 10000 + 1 + (i * 7 + n * 1009) % ${PROJECTS}, 1000 + i, 30, now()
     from generate_series(1, ${USERS}) i, generate_series(1, 3) n on conflict do nothing`,
  `insert into repository_refs (project_id, kind, full_name, name, object_sha, target_sha, created_at, updated_at)
   select p.id, 'branch', 'refs/heads/main', 'main', md5(p.id::text) || '00000000', md5(p.id::text) || '00000000', now(), now()
     from projects p`,
  // Ids 20001 to 20020 are the twenty of project 10001; none of any project is due.
  `insert into pipeline_schedules (id, project_id, owner_id, description, ref, cron, cron_timezone, active, next_run_at,
                                   created_at, updated_at)
   select 20000 + i, case when i <= 20 then 10001 else 10002 + i % ${PROJECTS - 1} end, 1001, 'Schedule ' || i,
          'refs/heads/main', '0 3 * * *', 'UTC', true, now() + interval '300 days', now(), now()
     from generate_series(1, 20000) i`,
  `insert into pipelines (project_id, iid, ref, sha, before_sha, status, source, user_id, pipeline_schedule_id,
                          created_at, updated_at)
   select s.project_id, (s.id - 20000) * 10 + n, 'main', md5(s.id::text) || '00000000', repeat('0', 40), 'success',
          'schedule', 1001, s.id, now(), now()
     from pipeline_schedules s, generate_series(0, 4) n where s.id <= 22000`,
  `insert into project_counters (project_id, kind, last_value)
   select project_id, 'pipeline', max(iid) from pipelines group by project_id`,
  // The ids inserted above must not be assigned again.
  ...['users', 'namespaces', 'projects', 'pipeline_schedules'].map(
    (table) => `select setval(pg_get_serial_sequence('${table}', 'id'), 1000000)`,
  ),
];

async function insertValues(db: Pool, keys: Keys, projectId: number, scheduleId: number) {
  for (const [key, value] of [
    ['DEPLOY_TO', 'staging'],
    ['RETRIES', '3'],
  ] as const)
    await db.query(
      `insert into pipeline_schedule_variables
         (project_id, pipeline_schedule_id, key, value, variable_type, raw, created_at, updated_at)
       values ($1, $2, $3, $4, 'env_var', false, now(), now())`,
      [projectId, scheduleId, key, keys.encrypt(value, scheduleVariableBinding(scheduleId, key))],
    );
  await db.query(
    `insert into pipeline_schedule_inputs (project_id, pipeline_schedule_id, name, value, created_at, updated_at)
     values ($1, $2, 'depth', $3, now(), now())`,
    [projectId, scheduleId, keys.encrypt('5', scheduleInputBinding(scheduleId, 'depth'))],
  );
}

/** Fills an empty, migrated database. The caller sees some 200 projects: more than a page, so a list counts them. */
export async function fillDatabase(db: Pool, keys: Keys): Promise<Dataset> {
  for (const statement of STATEMENTS) await db.query(statement);
  const data = { token: TOKEN, userId: 1001, projectId: 10_001, scheduleId: 20_001 };
  await db.query(
    `insert into personal_access_tokens (user_id, name, digest, scopes, created_at, updated_at)
     values ($1, 'bench', $2, '{api}', now(), now())`,
    [data.userId, keys.digest(TOKEN)],
  );
  // Otherwise the first worker would recompute every next run, and none would be due when a bench expects it.
  await db.query('insert into instance_zone_data (only_one, version, updated_at) values (true, $1, now())', [
    timeZoneDataVersion(),
  ]);
  await insertValues(db, keys, data.projectId, data.scheduleId);
  await db.query('vacuum analyze');
  return data;
}
