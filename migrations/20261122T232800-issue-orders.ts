import { Migration } from '@mikro-orm/migrations';

/** What lists and statistics of projects with very many issues need. */
export class IssueOrders extends Migration {
  override up(): void {
    this.addSql(`
      -- With the author, so that what a Guest may see of a project is counted in the index too.
      drop index issues_state;
      create index issues_state on issues (project_id, state, created_at, id) include (confidential, author_id);

      -- Orders in which open issues are looked at: what has no value comes last in both directions.
      create index issues_due_first on issues (project_id, (coalesce(due_date, 'infinity'::date)), id)
        where state = 'opened';
      create index issues_due_last on issues (project_id, (coalesce(due_date, '-infinity'::date)), id)
        where state = 'opened';
      create index issues_light_first on issues (project_id, (coalesce(weight, 2147483647)), id) where state = 'opened';
      create index issues_heavy_first on issues (project_id, (coalesce(weight, -1)), id) where state = 'opened';
      create index issues_popular on issues (project_id, upvotes, id) where state = 'opened';
    `);
  }
}
