import { Migration } from '@mikro-orm/migrations';

/** Rows in whose place an import takes what is there, and people of an archive who are nobody here, with the reason. */
export class WhatImportsLeaveOut extends Migration {
  override up(): void {
    this.addSql(`
      alter table archive_import_rows add column reused boolean not null default false;
      -- Who is nobody here has no user_id, but the reason; who is the importer, whose people are not matched, neither.
      alter table archive_import_users alter column user_id drop not null, add column problem text;`);
  }
}
