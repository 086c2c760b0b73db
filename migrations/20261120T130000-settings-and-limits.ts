import { Migration } from '@mikro-orm/migrations';

/** Settings of the instance, and the counts that rate limits go by. */
export class SettingsAndLimits extends Migration {
  override up(): void {
    this.addSql(`
      create table instance_settings (
        name text primary key,
        value jsonb not null,
        updated_at timestamptz(3) not null
      );

      -- Unlogged: counting writes no log and waits for no disk, and a crash forgets at most one period's counts.
      -- Room in each page keeps a count's updates within it.
      create unlogged table rate_limit_counts (
        key text primary key,
        points integer not null,
        expires_at timestamptz(3) not null
      ) with (fillfactor = 50);
      create index rate_limit_counts_expiry on rate_limit_counts (expires_at);
    `);
  }
}
