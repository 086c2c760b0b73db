import { Migration } from '@mikro-orm/migrations';

/** A project or group has its first board once somebody opens its boards. */
export class BoardsWhenOpened extends Migration {
  override up(): void {
    this.addSql(`
      drop trigger projects_default_board on projects;
      drop trigger groups_default_board on namespaces;
      drop function make_default_board();`);
  }
}
