import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import type { Config } from '../../core/values/config.js';
import { Keys } from '../../core/values/secrets.js';
import { QUEUE_VERSION } from '../../instance/pg-boss/queue-version.js';

/**
 * The record of a finished setup: the build and the resulting state of the database. It lets the next start of the same
 * build on the same database skip the setup. It is stored with the compile cache and deleted with it.
 */
export class SetupRecord {
  readonly #file: string;

  /** @param build the digest of the sources */
  constructor(
    private readonly config: Config,
    private readonly build: string,
  ) {
    this.#file = path.join(config.dataDir, 'compile-cache', 'setup');
  }

  get exists(): boolean {
    return existsSync(this.#file);
  }

  /**
   * Whether the database is unchanged since the last setup by this build, and the administrator's first credentials
   * need not be shown.
   */
  async isCurrent(client: Pick<pg.Client, 'query'>): Promise<boolean> {
    try {
      return readFileSync(this.#file, 'utf8') === (await this.#text(client));
    } catch {
      // There are no tables, or it is another secret.
      return false;
    }
  }

  async write(client: Pick<pg.Client, 'query'>): Promise<void> {
    try {
      writeFileSync(this.#file, await this.#text(client));
    } catch {
      // The next start sets up again.
    }
  }

  /** @throws Error where the database is not set up, or with another secret */
  async #text(client: Pick<pg.Client, 'query'>): Promise<string> {
    const { rows } = await client.query<{ fingerprint: string; state: string }>(
      // Plain SQL: before any entity is known.
      `select i.key_fingerprint as fingerprint, md5(json_build_array(
           (select oid from pg_database where datname = current_database()),
           current_setting('server_version'),
           (select json_agg(m.name order by m.name) from mikro_orm_migrations m),
           (select json_agg(s) from instance_schema s),
           (select json_agg(q) from instance_queue q),
           ${QUEUE_VERSION})::text) as state
         from instance_identity i
        where exists (select from users)
          and not exists (
            select from instance_initial_credentials k join users u on u.id = k.user_id
             where u.current_sign_in_at is null and u.last_sign_in_at is null and u.last_activity_on is null
               and not exists (select from personal_access_tokens t where t.user_id = k.user_id and t.last_used_at is not null))`,
    );
    const [row] = rows;
    if (row?.fingerprint !== new Keys(this.config.secretKeyBase).fingerprint) throw new Error('It is not set up.');
    return `${this.build}\n${row.state}`;
  }
}
