import { Migration } from '@mikro-orm/migrations';

/** The bytes of a project's pictures count in its statistics: `uploads_size` follows their rows. */
export class PicturesInStatistics extends Migration {
  override up(): void {
    this.addSql(`
      create function count_project_pictures() returns trigger language plpgsql as $$
        begin
          update project_statistics s set uploads_size = s.uploads_size + c.bytes
            from (select n.owner_id, sum(o.bytes)::bigint as bytes
                    from came n join stored_objects o on o.id = n.object_id
                   where n.owner_kind = 'project' group by n.owner_id order by n.owner_id) c
           where s.project_id = c.owner_id;
          return null;
        end $$;
      create trigger pictures_counted after insert on pictures
        referencing new table as came for each statement execute function count_project_pictures();

      create function discount_project_pictures() returns trigger language plpgsql as $$
        begin
          update project_statistics s set uploads_size = s.uploads_size - g.bytes
            from (select p.owner_id, sum(o.bytes)::bigint as bytes
                    from gone p join stored_objects o on o.id = p.object_id
                   where p.owner_kind = 'project' group by p.owner_id order by p.owner_id) g
           where s.project_id = g.owner_id;
          return null;
        end $$;
      create trigger pictures_discounted after delete on pictures
        referencing old table as gone for each statement execute function discount_project_pictures();

      update project_statistics s set uploads_size = s.uploads_size + c.bytes
        from (select i.owner_id, sum(o.bytes)::bigint as bytes from pictures i join stored_objects o on o.id = i.object_id
               where i.owner_kind = 'project' group by i.owner_id) c
       where s.project_id = c.owner_id;
    `);
  }
}
