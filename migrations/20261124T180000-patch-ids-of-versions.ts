import { Migration } from '@mikro-orm/migrations';

/** What a version of a merge request changes, by an id that is the same for the same changes. */
export class PatchIdsOfVersions extends Migration {
  override up(): void {
    this.addSql(`alter table merge_request_versions add column patch_id_sha text;`);
  }
}
