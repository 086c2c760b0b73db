import { Migration } from '@mikro-orm/migrations';

/** The log of a project or group is narrowed to what its events are about, newest first. */
export class AuditEventTargets extends Migration {
  override up(): void {
    this.addSql(
      `create index audit_events_target on audit_events (target_type, target_id, entity_type, entity_id, id)`,
    );
  }
}
