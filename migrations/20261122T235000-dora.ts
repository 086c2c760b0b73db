import { Migration } from '@mikro-orm/migrations';

/** What DORA metrics are read from: a row for each environment and day, and what of that is to be computed anew. */
export class Dora extends Migration {
  override up(): void {
    this.addSql(`
      -- Days, UTC, on which an environment has something to tell; computed whole from what lies below.
      create table dora_daily_metrics (
        environment_id bigint not null references environments (id) on delete cascade,
        date date not null,
        project_id bigint not null,
        -- Successful deployments.
        deployment_frequency integer,
        -- Medians, in seconds.
        lead_time_for_changes_in_seconds double precision,
        time_to_restore_service_in_seconds double precision,
        -- Incidents of the project, at its first production environment.
        incidents_count integer,
        -- Metrics are read from the index alone.
        primary key (environment_id, date) include (deployment_frequency, lead_time_for_changes_in_seconds,
          time_to_restore_service_in_seconds, incidents_count)
      );
      create index dora_daily_metrics_project on dora_daily_metrics (project_id, date);

      -- Days to be computed anew, each once however often it is asked for.
      create table dora_refreshes (
        environment_id bigint not null references environments (id) on delete cascade,
        date date not null,
        project_id bigint not null,
        due_at timestamptz(3) not null,
        -- How often it was asked for while it waited: more than when a job read it, and another one is needed.
        version integer not null default 1,
        -- Whether the last one to ask has to send a job.
        unannounced boolean not null default true,
        primary key (environment_id, date)
      );
      create index dora_refreshes_due on dora_refreshes (due_at);

      create index issues_incidents_created on issues (project_id, created_at) where issue_type = 'incident';
      create index issues_incidents_closed on issues (project_id, closed_at)
        where issue_type = 'incident' and state = 'closed';
    `);
  }
}
