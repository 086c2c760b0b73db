import { Migration } from '@mikro-orm/migrations';

/** The instance's log is listed by the kind of what its events are about, newest first. */
export class AuditEventKinds extends Migration {
  override up(): void {
    this.addSql(`create index audit_events_kind on audit_events (entity_type, id)`);
  }
}
