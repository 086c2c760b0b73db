import { Migration } from '@mikro-orm/migrations';

/**
 * Searches look for each term in title or description. As conditions on two columns they were answered by one scan of the
 * index for each term and column, whose results were then combined; on one text they are answered by one scan.
 */
export class SearchInOneText extends Migration {
  override up(): void {
    for (const [table, container] of [
      ['issues', 'project_id'],
      ['merge_requests', 'project_id'],
      ['epics', 'namespace_id'],
    ])
      this.addSql(`
        drop index ${table}_search;
        create index ${table}_search on ${table}
          using gin (${container}, (title || E'\\n' || coalesce(description, '')) gin_trgm_ops);
      `);
  }
}
