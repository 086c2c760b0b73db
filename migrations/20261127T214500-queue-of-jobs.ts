import { Migration } from '@mikro-orm/migrations';

/** A hand-out asks a project's settings as they are at that moment, so that its queue has no copy of them. */
export class QueueOfJobs extends Migration {
  override up(): void {
    this.addSql(`
      alter table ci_queue
        drop column namespace_ids,
        drop column instance_runners,
        drop column group_runners;
      drop index ci_queue_job;
      drop index ci_queue_project;
      create unique index ci_queue_project on ci_queue (project_id, job_id);
      create index ci_queue_job on ci_queue (job_id);
      drop index job_runs_job;
      create unique index job_runs_project_job on job_runs (project_id, job_id);
      create index job_runs_job on job_runs (job_id);
      alter table ci_queue set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

      create index jobs_on_runners on jobs (project_id, runner_id)
        where runner_id is not null and status in ('pending', 'running', 'canceling');
      create index jobs_pending on jobs (id) where status = 'pending' and kind = 'build';
      create index job_runs_handed_out on job_runs (project_id, handed_out_at);
      drop index job_runs_project;
      create index job_runs_unacknowledged on job_runs (contacted_at) where acknowledged_at is null;

      -- Requests of runners that wait for jobs end when their runner is not what it was, whoever changed it.
      create function notify_of_runner() returns trigger language plpgsql as $$
        begin
          perform pg_notify('capstan_runners', '{"runner":' || old.id || '}');
          return null;
        end $$;
      create trigger runners_changed
        after update of paused, run_untagged, access_level, tag_list, token_digest, token_expires_at, maximum_timeout
        on runners for each row when (
          (old.paused, old.run_untagged, old.access_level, old.tag_list, old.token_digest, old.token_expires_at,
            old.maximum_timeout) is distinct from
          (new.paused, new.run_untagged, new.access_level, new.tag_list, new.token_digest, new.token_expires_at,
            new.maximum_timeout))
        execute function notify_of_runner();
      create trigger runners_removed after delete on runners for each row execute function notify_of_runner();
      create function notify_of_runner_project() returns trigger language plpgsql as $$
        begin
          perform pg_notify('capstan_runners', '{"runner":' || coalesce(new.runner_id, old.runner_id) || '}');
          return null;
        end $$;
      create trigger runner_projects_changed after insert or delete on runner_projects
        for each row execute function notify_of_runner_project();
    `);
  }
}
