import { Migration } from '@mikro-orm/migrations';

/** What people note beside a schedule. */
export class ScheduleNotes extends Migration {
  override up(): void {
    this.addSql('alter table pipeline_schedules add column notes text check (char_length(notes) <= 255)');
  }
}
