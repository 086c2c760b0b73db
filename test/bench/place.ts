import path from 'node:path';
import pg from 'pg';
import { loadConfig } from '../../shared/core/config.js';
import type { Config } from '../../shared/core/config.js';
import { setUp } from '../../shared/instance/first-start.js';
import { Keys } from '../../shared/core/secrets.js';
import { adminUrl, databaseUrl } from '../core/databases.js';
import { Child } from './child.js';
import { fillDatabase } from './dataset.js';
import type { Dataset } from './dataset.js';

const DATABASE = 'capstan_bench';

/** Where things are measured: a migrated, filled database, and the environment that every process gets. */
export class Place {
  private constructor(
    readonly directory: string,
    readonly env: NodeJS.ProcessEnv,
    readonly config: Config,
    readonly keys: Keys,
    readonly db: pg.Pool,
    readonly data: Dataset,
  ) {}

  static async prepare(): Promise<Place> {
    const directory = process.env.CAPSTAN_TEST_DIRECTORY;
    if (!directory) throw new Error('CAPSTAN_TEST_DIRECTORY is not set: measure with "npm run bench".');
    const admin = new pg.Client({ connectionString: adminUrl() });
    await admin.connect();
    await admin.query(`create database ${DATABASE}`);
    await admin.end();
    const env = {
      DATABASE_URL: databaseUrl(DATABASE),
      SECRET_KEY_BASE: 'a secret for measuring, of at least 32 characters',
      EXTERNAL_URL: 'http://capstan.example',
      PORT: '0',
      DATA_DIR: path.join(directory, 'data'),
      NODE_COMPILE_CACHE: path.join(directory, 'compile-cache'),
      INITIAL_ROOT_TOKEN: 'a-token-of-the-administrator',
      INITIAL_ROOT_PASSWORD: 'a password of the administrator',
    };
    const config = loadConfig(env);
    await setUp(config, env);
    const db = new pg.Pool({ connectionString: config.databaseUrl, max: 4 });
    const keys = new Keys(config.secretKeyBase);
    return new Place(directory, env, config, keys, db, await fillDatabase(db, keys));
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
