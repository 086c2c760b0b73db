import { Migration } from '@mikro-orm/migrations';

/** What is pushed to `refs/notes` and the like stands in the index of refs too, beside branches and tags. */
export class OtherRefs extends Migration {
  override up(): void {
    this.addSql(`
      alter table repository_refs
        drop constraint repository_refs_kind_check,
        add constraint repository_refs_kind_check check (kind in ('branch', 'tag', 'other'));`);
  }
}
