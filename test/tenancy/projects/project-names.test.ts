import test from 'ava';
import { migrate } from '../../../shared/instance/process/migrate.js';
import { cloneDatabase, testPool } from '../../core/databases.js';
import { domains } from '../../../shared/domains.js';

// Contract: core-5.names
test('projects that had one name before names were kept apart get their ids behind it', async (t) => {
  const database = await cloneDatabase();
  const pool = testPool(database.url, 1);
  t.teardown(async () => {
    await pool.end();
    await database.drop();
  });
  await pool.query(`
    drop index projects_name_in_namespace;
    delete from mikro_orm_migrations where name = '20261122T110100-project-names';
    insert into namespaces (id, kind, name, path, visibility, traversal_ids, created_at, updated_at)
      select i, 'group', 'Group', 'group' || i, 'private', array[i], now(), now() from generate_series(901, 902) i;
    insert into projects (id, namespace_id, name, path, visibility, last_activity_at, created_at, updated_at)
      select i, case when i = 914 then 902 else 901 end, case when i = 915 then 'other' else 'Same' end, 'p' || i,
             'private', now(), now(), now() from generate_series(911, 915) i;
    insert into routes (project_id, path, name)
      select p.id, 'group' || p.namespace_id || '/' || p.path, 'Group / ' || p.name from projects p where p.id > 910`);
  await migrate(domains, database.url);
  const { rows } = await pool.query<{ name: string; route: string }>(`
    select p.name, r.name as route from projects p join routes r on r.project_id = p.id where p.id > 910 order by p.id`);
  t.deepEqual(
    rows.map(({ name }) => name),
    ['Same', 'Same-912', 'Same-913', 'Same', 'other'],
  );
  t.deepEqual(
    rows.map(({ route }) => route),
    rows.map(({ name }) => `Group / ${name}`),
  );
});
