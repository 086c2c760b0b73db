import { Migration } from '@mikro-orm/migrations';

/** How urgent a schedule is to its users. */
export class SchedulePriority extends Migration {
  override up(): void {
    this.addSql(`
      alter table pipeline_schedules
        add column priority integer not null default 0 check (priority between 0 and 10);
    `);
  }
}
