import { Migration } from '@mikro-orm/migrations';

/** Counts writes to a repository, so that housekeeping comes after so many of them. */
export class RepositoryUpkeep extends Migration {
  override up() {
    this.addSql(`
      alter table projects add column writes_since_upkeep integer not null default 0;
    `);
  }
}
