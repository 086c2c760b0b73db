import { Migration } from '@mikro-orm/migrations';

/**
 * Lists of branches and tags by date or version read a page of the index of refs, not the whole repository. What has no
 * date yet, or was written by an older process, gets its date by a job: `dated_sha` says whose date it is. The key of
 * versions is cut so that it fits into an index beside the longest name.
 */
export class DatesOfRefs extends Migration {
  override up() {
    this.addSql(`
      alter table repository_refs
        add column git_date bigint not null default 0,
        add column dated_sha text;

      create function version_key(name text) returns text language sql immutable parallel safe return
        left(regexp_replace(regexp_replace(name, '[0-9]+', repeat('0', 20) || '\\&', 'g'), '[0-9]*([0-9]{20})', '\\1', 'g'), 400);

      create index repository_refs_date on repository_refs (project_id, kind, git_date, name);
      create index repository_refs_version on repository_refs (project_id, kind, version_key(name), name);
      create index repository_refs_undated on repository_refs (project_id) where dated_sha is distinct from object_sha;
    `);
  }
}
