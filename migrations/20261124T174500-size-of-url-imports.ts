import { Migration } from '@mikro-orm/migrations';

/** Repositories that are fetched from URLs have a limit of their own: where archives had one, it was theirs too. */
export class SizeOfUrlImports extends Migration {
  override up(): void {
    this.addSql(`
      insert into instance_settings (name, value, updated_at)
      select 'max_import_remote_file_size', value, updated_at from instance_settings where name = 'max_import_size'
      on conflict (name) do nothing;`);
  }
}
