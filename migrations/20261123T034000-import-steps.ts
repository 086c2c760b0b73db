import { Migration } from '@mikro-orm/migrations';

/** Imports of archives: whose copy it is, relations that are restored in steps, and what could not be restored. */
export class ImportSteps extends Migration {
  override up(): void {
    this.addSql(`
      -- Tries so far: one that another overtook writes nothing more.
      alter table archive_imports add column attempts integer not null default 0;
      -- Of a relation that is restored in steps, each in a transaction of its own: whether its rows have their numbers,
      -- and the last line that is restored.
      alter table archive_import_relations
        add column prepared boolean not null default false,
        add column restored_through integer not null default 0;
      alter table archive_import_rows
        -- The number that it gets: its own where that is free.
        add column number integer,
        -- What of it could not be restored, and why.
        add column problem text;
    `);
  }
}
