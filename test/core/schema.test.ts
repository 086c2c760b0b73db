import test from 'ava';
import type { MikroORM } from '@mikro-orm/postgresql';
import { getEntities } from '../../shared/core/domain.js';
import { migrate } from '../../shared/instance/process/migrate.js';
import { cloneDatabase } from './databases.js';
import { useApp } from './app.js';
import pg from 'pg';
import { domains } from '../../shared/domains.js';

const app = useApp(test);

/** Tables that exist once for the whole instance, or are small: they would be copied, not distributed; and the queue with its own. */
const REFERENCE_TABLES = new RegExp(
  `^(${[
    '\\w*content_repositories',
    'application_settings',
    'applied_\\w+',
    'archive_exports',
    'badges',
    'board_labels',
    'board_lists',
    'boards',
    'ci_variables',
    'deploy_keys',
    'deploy_tokens',
    'events',
    'import_plans',
    'instance_\\w+',
    'job_attempts',
    'label_subscriptions',
    'labels',
    'mikro_orm_migrations',
    'milestones',
    'namespaces',
    'note_award_emojis',
    'note_mentions',
    'notes',
    'oauth_\\w+',
    'personal_access_tokens',
    'pictures',
    'pipeline_schedule_zone_data',
    'plan_limits',
    'projects',
    'refused_requests',
    'relation_exports',
    'relation_export_files',
    'protected_environment\\w*',
    'queue_\\w+',
    'rate_limits?\\w*',
    'redirect_routes',
    'routes',
    'runner_managers',
    'runner_projects',
    'runners',
    'snippet_user_agents',
    'snippets',
    'spam_logs',
    'stored_objects',
    'todos',
    'topics',
    'user_\\w+',
    'users',
    'wiki_page_meta',
  ].join('|')})$`,
);

async function rows<R extends pg.QueryResultRow>(text: string): Promise<R[]> {
  return (await app.services.db.pool.query<R>(text)).rows;
}

test('every large table says to which project or namespace its rows belong', async (t) => {
  const tables = await rows<{ table: string; columns: string[] }>(`
    select c.table_name as table, array_agg(c.column_name::text) filter (where c.is_nullable = 'NO') as columns
      from information_schema.columns c join information_schema.tables i using (table_schema, table_name)
     where c.table_schema = 'public' and i.table_type = 'BASE TABLE' group by 1`);
  const lacking = tables
    .filter(({ table }) => !REFERENCE_TABLES.test(table))
    .filter(({ columns }) => !columns.includes('project_id') && !columns.includes('namespace_id'))
    .map(({ table }) => table);
  t.deepEqual(lacking, []);
});

test('secondary unique indexes of large tables begin with the project or namespace', async (t) => {
  const indexes = await rows<{ table: string; index: string; first: string }>(`
    select t.relname as table, i.relname as index, a.attname as first
      from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
      join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
     where x.indisunique and not x.indisprimary and t.relnamespace = 'public'::regnamespace`);
  const wrong = indexes
    .filter(({ table }) => !REFERENCE_TABLES.test(table))
    .filter(({ first }) => first !== 'project_id' && first !== 'namespace_id')
    .map(({ index }) => index);
  t.deepEqual(wrong, []);
});

test('every foreign key has an index, so that deleting what it points at reads no table whole', async (t) => {
  const missing = await rows<{ key: string }>(`
    select c.conrelid::regclass || '.' || a.attname as key
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'f' and c.connamespace = 'public'::regnamespace
       and a.attname <> 'created_by_id'
       and not exists (select 1 from pg_index x where x.indrelid = c.conrelid and x.indkey[0] = c.conkey[1]
         and (x.indpred is null
           or pg_get_expr(x.indpred, x.indrelid) = '(' || quote_ident(a.attname) || ' IS NOT NULL)'))`);
  t.deepEqual(
    missing.map(({ key }) => key),
    [],
  );
});

test('entities and tables have the same columns', async (t) => {
  const columns = await rows<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns where table_schema = 'public'`,
  );
  const orm: MikroORM = app.services.db.orm;
  for (const entity of getEntities(domains)) {
    const meta = orm.getMetadata().get(entity.meta.class as never);
    const inTable = columns.filter(({ table }) => table === meta.tableName).map(({ column }) => column);
    const inEntity = Object.values(meta.properties)
      .filter((property) => property.persist !== false)
      .map((property) => property.name as string);
    t.deepEqual(inEntity.toSorted(), inTable.toSorted(), meta.tableName);
  }
});

test('an empty database is migrated once although several processes try at the same time', async (t) => {
  const database = await cloneDatabase();
  t.teardown(() => database.drop());
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('drop schema public cascade; create schema public; drop schema pgboss cascade');
  await Promise.all(Array.from({ length: 4 }, () => migrate(domains, database.url)));
  const { rows: found } = await client.query<{ migrations: number; queues: number }>(
    `select (select count(*)::int from mikro_orm_migrations) as migrations, (select count(*)::int from pgboss.queue) as queues`,
  );
  await client.end();
  t.true((found[0]?.migrations ?? 0) >= 1);
  t.true((found[0]?.queues ?? 0) >= 3);
});
