import { Migration } from '@mikro-orm/migrations';

/** An action on many jobs can be ended before its end. */
export class BulkCancellation extends Migration {
  override up() {
    this.addSql(`alter table queue_bulks add column cancelled boolean not null default false`);
  }
}
