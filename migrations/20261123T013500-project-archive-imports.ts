import { Migration } from '@mikro-orm/migrations';

/** Imports of archives of projects: what their settings are to be, and which relations are restored. */
export class ProjectArchiveImports extends Migration {
  override up(): void {
    this.addSql(`
      -- Settings that go before the archive's; null for none.
      alter table archive_imports add column overrides jsonb;
      -- Of a project: each relation is restored in a transaction of its own.
      alter table archive_import_relations add column restored boolean not null default false;
    `);
  }
}
