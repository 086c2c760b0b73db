import { Migration } from '@mikro-orm/migrations';

/** Users who read what administrators read of the instance's jobs, and change nothing. */
export class UsersAuditor extends Migration {
  override up() {
    this.addSql('alter table users add column auditor boolean not null default false');
  }
}
