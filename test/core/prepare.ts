import pg from 'pg';
import { migrate } from '../../shared/instance/process/migrate.js';
import { adminUrl, databaseUrl, TEMPLATE } from './databases.js';
import { domains } from '../../shared/domains.js';

/** Makes the template that every test file clones. Run once before the tests. */
async function prepare() {
  const admin = new pg.Client({ connectionString: adminUrl() });
  await admin.connect();
  await admin.query(`drop database if exists ${TEMPLATE} with (force)`);
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  await migrate(domains, databaseUrl(TEMPLATE));
}

await prepare();
