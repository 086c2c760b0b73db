import { Migration } from '@mikro-orm/migrations';

/** Where the archive of a project is sent once it is written, and what became of that. */
export class ExportUploads extends Migration {
  override up(): void {
    this.addSql(`
      alter table archive_exports
        -- Encrypted: it may hold a password or a signature. Null once it is not needed any more.
        add column upload_url bytea,
        add column upload_method text check (upload_method in ('PUT', 'POST')),
        -- Of those that are to be sent.
        add column upload_state text check (upload_state in ('waiting', 'sent', 'failed')),
        -- Why it was not sent.
        add column upload_error text;
    `);
  }
}
