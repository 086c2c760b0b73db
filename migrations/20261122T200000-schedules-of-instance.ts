import { Migration } from '@mikro-orm/migrations';

/** Lists of schedules that cross projects are ordered by the next run; those without one come last. */
export class SchedulesOfInstance extends Migration {
  override up() {
    this.addSql(`
      create index pipeline_schedules_by_next_run
        on pipeline_schedules ((coalesce(next_run_at, timestamptz '9999-12-31 23:59:59.999+00')), id);
    `);
  }
}
