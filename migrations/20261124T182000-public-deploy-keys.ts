import { Migration } from '@mikro-orm/migrations';

/** Keys that the instance offers to every project. They stay when no project has them. */
export class PublicDeployKeys extends Migration {
  override up(): void {
    this.addSql(`
      alter table deploy_keys add column public boolean not null default false;

      create or replace function remove_unused_deploy_keys() returns trigger language plpgsql as $$
        begin
          -- Held first: a key whose last two links go at the same instant is looked at by the second one with both gone.
          perform 1 from deploy_keys k where k.id in (select g.deploy_key_id from gone g) order by k.id for update;
          delete from deploy_keys k using gone g
           where k.id = g.deploy_key_id and not k.public
             and not exists (select 1 from deploy_keys_projects d where d.deploy_key_id = k.id);
          return null;
        end $$;
    `);
  }
}
