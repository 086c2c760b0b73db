import { Migration } from '@mikro-orm/migrations';

/** A runner of projects ends with the last of them, however that goes. Which runners have jobs now is found by an index. */
export class RunnersWithoutProjects extends Migration {
  override up(): void {
    this.addSql(`
      create function remove_runners_without_projects() returns trigger language plpgsql as $$
      begin
        delete from runners r
        where r.runner_type = 'project_type'
          and r.id in (select g.runner_id from gone g)
          and not exists (select from runner_projects rp where rp.runner_id = r.id);
        return null;
      end $$;
      create trigger runner_projects_gone after delete on runner_projects
        referencing old table as gone for each statement execute function remove_runners_without_projects();
      create index jobs_runner_executing on jobs (runner_id)
        where runner_id is not null and status in ('running', 'canceling');
      create index jobs_runner_manager_executing on jobs (runner_manager_id)
        where runner_manager_id is not null and status in ('running', 'canceling');
    `);
  }
}
