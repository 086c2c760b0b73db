import { Migration } from '@mikro-orm/migrations';

/** Counts of open issues in parts, so that many who make issues in one project do not wait for each other. */
export class PartsOfIssueCounts extends Migration {
  override up(): void {
    this.addSql(`
      alter table project_issue_counts
        add column part smallint not null default 0,
        drop constraint project_issue_counts_pkey,
        add primary key (project_id, part);
    `);
  }
}
