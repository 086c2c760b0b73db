import { Migration } from '@mikro-orm/migrations';

/**
 * One name is one project's within a namespace, also for two that are made at the same instant. Where two had one name
 * until now, the younger gets its id behind it.
 */
export class ProjectNames extends Migration {
  override up(): void {
    this.addSql(`
      with twins as (
        select p.id from projects p
         where exists (select 1 from projects older
                        where older.namespace_id = p.namespace_id and older.name = p.name and older.id < p.id)),
      renamed as (
        update projects p set name = p.name || '-' || p.id from twins t where p.id = t.id returning p.id)
      update routes r set name = r.name || '-' || r.project_id from renamed d where r.project_id = d.id;

      create unique index projects_name_in_namespace on projects (namespace_id, name);
    `);
  }
}
