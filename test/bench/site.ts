import { domains } from '../../shared/domains.js';
import path from 'node:path';
import pg from 'pg';
import { loadConfig } from '../../shared/core/values/config.js';
import type { Config } from '../../shared/core/values/config.js';
import { Keys } from '../../shared/core/values/secrets.js';
import { setUp } from '../../shared/auth/administration/first-start.js';
import { adminUrl, databaseUrl } from '../core/databases.js';
import { Child } from './child.js';

async function createDatabase(name: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl() });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
}

/** A migrated database of the measured server, and the environment that every process on it gets. */
export class Site {
  protected constructor(
    readonly directory: string,
    readonly env: NodeJS.ProcessEnv,
    readonly config: Config,
    readonly keys: Keys,
    readonly db: pg.Pool,
  ) {}

  /** Creates the database, and the environment for it. @param filled the URL of an existing database to use instead */
  protected static async make(
    name: string,
    filled?: string,
  ): Promise<[string, NodeJS.ProcessEnv, Config, Keys, pg.Pool]> {
    const directory = process.env.CAPSTAN_TEST_DIRECTORY;
    if (!directory) throw new Error('CAPSTAN_TEST_DIRECTORY is not set: measure with "npm run bench".');
    if (!filled) await createDatabase(name);
    const env = {
      DATABASE_URL: filled ?? databaseUrl(name),
      SECRET_KEY_BASE: 'a secret for measuring, of at least 32 characters',
      EXTERNAL_URL: 'http://capstan.example',
      PORT: '0',
      DATA_DIR: path.join(directory, 'data'),
      NODE_COMPILE_CACHE: path.join(directory, 'compile-cache'),
      INITIAL_ROOT_TOKEN: 'a-token-of-the-administrator',
      INITIAL_ROOT_PASSWORD: 'a password of the administrator',
    };
    const config = loadConfig(env);
    await setUp(domains, config, env);
    const db = new pg.Pool({ connectionString: config.databaseUrl, max: 4 });
    return [directory, env, config, new Keys(config.secretKeyBase), db];
  }

  api(): Promise<Child> {
    return Child.start('api/main.js', this.env, this.directory);
  }

  worker(): Promise<Child> {
    return Child.start('workers/main.js', this.env, this.directory);
  }

  /** The least program that answers the same. */
  twin(): Promise<Child> {
    return Child.start('test/bench/twin.js', this.env, this.directory);
  }

  async leave(): Promise<void> {
    await this.db.end();
  }
}
