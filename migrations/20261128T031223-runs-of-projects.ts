import { Migration } from '@mikro-orm/migrations';

/** Runs of a project's schedules, also those that cron did not make due, are found when the project is removed. */
export class RunsOfProjects extends Migration {
  override up(): void {
    this.addSql(`create index pipeline_schedule_runs_project on pipeline_schedule_runs (project_id);`);
  }
}
