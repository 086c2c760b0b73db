import { Migration } from '@mikro-orm/migrations';

/** Groups are archived, have pictures, and say how large artifacts may be. */
export class GroupStates extends Migration {
  override up(): void {
    this.addSql(`
      -- True where this namespace or one above it is archived: everything in it is read-only.
      alter table namespaces add column archived boolean not null default false, add column avatar text;
      create index namespaces_archived on namespaces (id) where archived;
      alter table group_settings add column archived_at timestamptz(3), add column max_artifacts_size integer;
    `);
  }
}
