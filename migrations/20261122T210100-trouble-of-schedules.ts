import { Migration } from '@mikro-orm/migrations';

/**
 * A schedule knows whether its newest run failed, was missed or skipped, so that lists of those read an index. The
 * database keeps it, whoever writes runs. Most runs fire, one after the other, and change nothing of it.
 */
export class TroubleOfSchedules extends Migration {
  override up() {
    this.addSql(`
      alter table pipeline_schedules add column trouble text check (trouble in ('failed', 'missed', 'skipped'));

      create function trouble_of_schedule(schedule_id bigint) returns text language sql stable as $$
        select case when x.state in ('failed', 'missed', 'skipped') then x.state end
          from pipeline_schedule_runs x where x.pipeline_schedule_id = schedule_id order by x.id desc limit 1
      $$;

      create function note_trouble_of_schedules() returns trigger language plpgsql as $$
      declare
        wrong bigint[];
      begin
        select array_agg(s.id) into wrong from pipeline_schedules s
         where s.id in (select c.pipeline_schedule_id from changed_runs c)
           and s.trouble is distinct from trouble_of_schedule(s.id);
        if wrong is null then return null; end if;
        -- In one order, and looked at again once they are held: another run may have come to its end meanwhile.
        perform 1 from pipeline_schedules s where s.id = any(wrong) order by s.id for no key update;
        update pipeline_schedules s set trouble = trouble_of_schedule(s.id) where s.id = any(wrong);
        return null;
      end $$;

      create trigger pipeline_schedule_runs_added after insert on pipeline_schedule_runs
        referencing new table as changed_runs for each statement execute function note_trouble_of_schedules();
      create trigger pipeline_schedule_runs_changed after update on pipeline_schedule_runs
        referencing new table as changed_runs for each statement execute function note_trouble_of_schedules();
      create trigger pipeline_schedule_runs_removed after delete on pipeline_schedule_runs
        referencing old table as changed_runs for each statement execute function note_trouble_of_schedules();

      update pipeline_schedules s set trouble = trouble_of_schedule(s.id) where trouble_of_schedule(s.id) is not null;

      create index pipeline_schedules_in_trouble
        on pipeline_schedules ((coalesce(next_run_at, timestamptz '9999-12-31 23:59:59.999+00')), id)
        where trouble is not null;
    `);
  }
}
