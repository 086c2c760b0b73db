import { Migration } from '@mikro-orm/migrations';

/** New projects do not claim to store large files apart, which nothing serves yet. */
export class LfsOffByDefault extends Migration {
  override up(): void {
    this.addSql(`alter table project_settings alter column lfs_enabled set default false;`);
  }
}
