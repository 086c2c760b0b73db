import { readFile } from 'node:fs/promises';
import test from 'ava';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { COLUMN_TYPES, JOB_STATES, QUEUE_SCHEMA } from '../../../shared/instance/pg-boss/tables.js';
import { cloneDatabase } from '../../core/databases.js';
import { sourceFiles } from '../../core/source-files.js';

/** A database with the tables as the library makes them, and nothing of ours in them. */
async function freshQueue() {
  const database = await cloneDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`drop schema ${QUEUE_SCHEMA} cascade`);
  const boss = new PgBoss({ connectionString: database.url, schema: QUEUE_SCHEMA, supervise: false, schedule: false });
  await boss.start();
  await boss.stop({ graceful: false, close: true });
  return {
    client,
    close: async () => {
      await client.end();
      await database.drop();
    },
  };
}

/** The columns of one kind of rows that the statements of the folder name by its usual alias. */
async function getColumns(alias: string): Promise<Set<string>> {
  const texts = await Promise.all(sourceFiles('shared/instance/pg-boss').map((file) => readFile(file, 'utf8')));
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(new RegExp(`\\b${alias}\\.([a-z_]+)\\b`, 'g'))].map(([, name]) => name as string),
    ),
  );
}

test('the library makes the tables, columns and states that our statements rely on', async (t) => {
  const { client, close } = await freshQueue();
  t.teardown(close);
  const { rows } = await client.query<{ table: string; column: string; type: string }>(
    `select table_schema || '.' || table_name as "table", column_name as "column",
            udt_name || case is_nullable when 'YES' then ' null' else '' end as "type"
       from information_schema.columns where table_schema = $1`,
    [QUEUE_SCHEMA],
  );
  for (const [table, expected] of Object.entries(COLUMN_TYPES)) {
    const columns = new Map(rows.filter((row) => row.table === table).map(({ column, type }) => [column, type]));
    const found = Object.fromEntries(Object.keys(expected).map((column) => [column, columns.get(column)]));
    t.deepEqual(found, expected, table);
  }
  const { rows: states } = await client.query<{ states: string[] }>(
    `select enum_range(null::${QUEUE_SCHEMA}.job_state)::text[] as states`,
  );
  t.deepEqual(states[0]?.states, [...JOB_STATES]);
  const { rows: now } = await client.query<{ type: string }>(
    `select pg_typeof(${QUEUE_SCHEMA}.job_now())::text as type`,
  );
  t.is(now[0]?.type, 'timestamp with time zone');
});

test('every column that our statements name is compared', async (t) => {
  const [job, queue] = [COLUMN_TYPES['pgboss.job'], COLUMN_TYPES['pgboss.queue']];
  t.deepEqual(
    [...(await getColumns('j'))].filter((name) => !Object.hasOwn(job, name)),
    [],
  );
  t.deepEqual(
    [...(await getColumns('q'))].filter((name) => !Object.hasOwn(queue, name)),
    [],
  );
});
