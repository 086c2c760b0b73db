import { Migration } from '@mikro-orm/migrations';

/** Epics stand in an order below the one above them. */
export class OrderOfChildEpics extends Migration {
  override up(): void {
    this.addSql(`
      -- Null until somebody puts it between others.
      alter table epics add column relative_position bigint;
    `);
  }
}
