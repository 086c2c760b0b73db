import { Migration } from '@mikro-orm/migrations';

/**
 * Attempts with an error tell when their job was sent, so that a page of jobs with a common error is found without
 * looking up every one of them. The queue's own table is there only where the service has run before.
 */
export class AttemptsByJob extends Migration {
  override up() {
    this.addSql(`
      alter table job_attempts add column job_created_at timestamptz;
      do $$ begin
        if to_regclass('pgboss.job') is not null then
          update job_attempts a set job_created_at = j.created_on
            from pgboss.job j where a.message is not null and j.name = a.queue and j.id = a.job_id;
        end if;
      end $$;
    `);
  }
}
