import { Migration } from '@mikro-orm/migrations';

/** An index for each filter and order of group lists that had none. */
export class GroupLists extends Migration {
  override up(): void {
    this.addSql(`
      create index namespaces_group_path on namespaces (path, id) where kind = 'group';
      create index namespaces_group_visibility on namespaces (visibility, name, id) where kind = 'group';
      create index namespaces_group_top on namespaces (name, id) where kind = 'group' and parent_id is null;
    `);
  }
}
