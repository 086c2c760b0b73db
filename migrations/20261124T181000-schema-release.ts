import { Migration } from '@mikro-orm/migrations';

/** Which release brought the schema up to date, and the oldest one whose processes may use it. */
export class SchemaRelease extends Migration {
  override up(): void {
    this.addSql(`
      create table instance_schema (
        only_one boolean primary key default true check (only_one),
        release text not null,
        oldest_compatible_release text not null
      );`);
  }
}
