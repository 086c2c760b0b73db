import { Migration } from '@mikro-orm/migrations';

/** An index for each filter and order of project lists. */
export class ProjectLists extends Migration {
  override up(): void {
    this.addSql(`
      create index projects_search on projects using gin (path gin_trgm_ops, name gin_trgm_ops, description gin_trgm_ops);
      create index routes_search on routes using gin (path gin_trgm_ops, name gin_trgm_ops) where project_id is not null;
      create index projects_name on projects (name, id);
      create index projects_path on projects (path, id);
      create index projects_updated on projects (updated_at, id);
      create index projects_activity on projects (last_activity_at, id);
      create index projects_stars on projects (star_count, id);
      create index projects_archived on projects (id) where archived;
      create index projects_marked on projects (marked_for_deletion_at, id) where marked_for_deletion_at is not null;
      create index namespaces_frozen on namespaces (id) where frozen;
    `);
  }
}
