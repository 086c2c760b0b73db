import { Migration } from '@mikro-orm/migrations';

/** How a group protects the default branches of new projects; null where it says nothing. */
export class DefaultBranchProtection extends Migration {
  override up(): void {
    this.addSql(`alter table group_settings add column default_branch_protection_defaults jsonb`);
  }
}
