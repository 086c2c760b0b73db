import { Migration } from '@mikro-orm/migrations';

/** Managers of runners that may be stale are found by when they were made: an index by contact would cost each contact. */
export class StaleManagers extends Migration {
  override up(): void {
    this.addSql(`create index runner_managers_created on runner_managers (created_at);`);
  }
}
