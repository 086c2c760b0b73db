import { Migration } from '@mikro-orm/migrations';

/** Topics have pictures, and are told apart from those that no project has; namespaces are found by full path. */
export class TopicAvatars extends Migration {
  override up(): void {
    this.addSql(`
      alter table topics add column avatar text;
      create index topics_unused on topics (id) where total_projects_count = 0;
      create index routes_search_namespaces on routes using gin (path gin_trgm_ops) where namespace_id is not null;
    `);
  }
}
