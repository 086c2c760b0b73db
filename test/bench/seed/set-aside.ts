/**
 * Takes the indexes and foreign keys of tables away, but for primary keys, for {@link putBack}: rows by the million are
 * indexed, and compared with what they name, all at once in much less time than one by one.
 */
export const setAside = (tables: readonly string[]): string[] => [
  `create temporary table if not exists seed_set_aside (place serial, made text) on commit drop`,
  `do $$
   declare one record;
   begin
     for one in
       select c.conrelid::regclass as at, c.conname as name, pg_get_constraintdef(c.oid) as definition from pg_constraint c
        where c.contype = 'f' and c.conrelid = any('{${tables.join(',')}}'::regclass[])
     loop
       insert into seed_set_aside (made)
       values (format('alter table %s add constraint %I %s', one.at, one.name, one.definition));
       execute format('alter table %s drop constraint %I', one.at, one.name);
     end loop;
     for one in
       select x.indexrelid::regclass as name, pg_get_indexdef(x.indexrelid) as definition from pg_index x
        where not x.indisprimary and x.indrelid = any('{${tables.join(',')}}'::regclass[])
          and not exists (select 1 from pg_constraint c where c.conindid = x.indexrelid)
     loop
       insert into seed_set_aside (made) values (one.definition);
       execute format('drop index %s', one.name);
     end loop;
   end $$`,
  ...tables.map((table) => `alter table ${table} disable trigger user`),
];

/** Makes again what {@link setAside} took away. */
export const putBack = (tables: readonly string[]): string[] => [
  ...tables.map((table) => `alter table ${table} enable trigger user`),
  `set local maintenance_work_mem = '512MB'`,
  `do $$
   declare one record;
   begin
     for one in delete from seed_set_aside returning place, made loop
       execute one.made;
     end loop;
   end $$`,
  `reset maintenance_work_mem`,
];
