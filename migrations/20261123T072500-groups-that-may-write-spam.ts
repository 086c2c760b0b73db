import { Migration } from '@mikro-orm/migrations';

/** Groups whose members' words are never refused as spam. */
export class GroupsThatMayWriteSpam extends Migration {
  override up(): void {
    this.addSql('alter table group_settings add column allow_possible_spam boolean not null default false;');
  }
}
