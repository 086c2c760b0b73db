import { randomBytes } from 'node:crypto';
import pg from 'pg';

export const TEMPLATE = 'capstan_template';

/** The server that `npm test` started. */
export function adminUrl(): string {
  const url = process.env.CAPSTAN_TEST_DATABASE_URL;
  if (!url) throw new Error('CAPSTAN_TEST_DATABASE_URL is not set: run the tests with "npm test".');
  return url;
}

export function databaseUrl(name: string): string {
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  return url.toString();
}

async function asAdmin(statement: string) {
  const admin = new pg.Client({ connectionString: adminUrl() });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}

/** A database of a test file's own, cloned from the template. */
export async function cloneDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `capstan_test_${randomBytes(6).toString('hex')}`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await asAdmin(`create database ${name} template ${TEMPLATE}`);
      break;
    } catch (error) {
      // Another file is cloning the template, to which PostgreSQL requires exclusive access.
      if ((error as { code?: string }).code !== '55006' || attempt === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return { url: databaseUrl(name), drop: () => asAdmin(`drop database if exists ${name} with (force)`) };
}

/** Connections of a test's own to a database. */
export function testPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max });
  // A connection that is still closing when its database is dropped must not fail the file.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);
  return pool;
}
