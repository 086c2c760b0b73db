import { Migration } from '@mikro-orm/migrations';

/** A hand-out asks a project's settings as they are at that moment, so that its queue has no copy of them. */
export class QueueOfJobs extends Migration {
  override up(): void {
    this.addSql(`
      alter table ci_queue
        drop column namespace_ids,
        drop column instance_runners,
        drop column group_runners;
      alter table ci_queue set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

      create index jobs_on_runners on jobs (project_id, runner_id)
        where runner_id is not null and status in ('pending', 'running', 'canceling');
      create index job_runs_handed_out on job_runs (project_id, handed_out_at);
      drop index job_runs_project;
      create index job_runs_unacknowledged on job_runs (contacted_at) where acknowledged_at is null;
    `);
  }
}
