import { Migration } from '@mikro-orm/migrations';

/**
 * One name is one subgroup's within a group, also for two that are made at the same instant. Where two had one name
 * until now, the younger gets its id behind it, and with it the full names of what lies below.
 */
export class SubgroupNames extends Migration {
  override up(): void {
    this.addSql(`
      create temporary table renamed_groups as
        select n.id from namespaces n
         where n.parent_id is not null
           and exists (select 1 from namespaces older
                        where older.parent_id = n.parent_id and older.name = n.name and older.id < n.id);
      update namespaces n set name = n.name || '-' || n.id from renamed_groups t where n.id = t.id;
      update routes r
         set name = (select string_agg(above.name, ' / ' order by place.nr)
                       from unnest(n.traversal_ids) with ordinality as place (id, nr)
                       join namespaces above on above.id = place.id) || ' / ' || p.name
        from namespaces n join projects p on p.namespace_id = n.id
       where n.traversal_ids && array(select t.id from renamed_groups t) and r.project_id = p.id;
      update routes r
         set name = (select string_agg(above.name, ' / ' order by place.nr)
                       from unnest(n.traversal_ids) with ordinality as place (id, nr)
                       join namespaces above on above.id = place.id)
        from namespaces n
       where n.traversal_ids && array(select t.id from renamed_groups t) and r.namespace_id = n.id;
      drop table renamed_groups;

      create unique index namespaces_name_in_parent on namespaces (parent_id, name) where parent_id is not null;
    `);
  }
}
