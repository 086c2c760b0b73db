import { Migration } from '@mikro-orm/migrations';

/** Open merge requests are counted by label in an index, as issues are. */
export class OpenMergeRequestsOfLabels extends Migration {
  override up(): void {
    this.addSql(`
      alter table merge_request_labels add column opened boolean not null default false;
      update merge_request_labels x set opened = true
        from merge_requests i where i.id = x.merge_request_id and i.state = 'opened';
      create index merge_request_labels_opened on merge_request_labels (label_id, project_id) where opened;

      -- The lock is the one that a change of the merge request takes: neither misses the other. One that is gone by
      -- then has no labels.
      create function copy_merge_request_to_label() returns trigger language plpgsql as $$
        begin
          select i.state = 'opened' into new.opened from merge_requests i
           where i.id = new.merge_request_id for no key update;
          if not found then return null; end if;
          return new;
        end $$;
      create trigger merge_request_labels_added before insert on merge_request_labels
        for each row execute function copy_merge_request_to_label();
      create function copy_merge_request_to_labels() returns trigger language plpgsql as $$
        begin
          update merge_request_labels x set opened = new.state = 'opened' where x.merge_request_id = new.id;
          return null;
        end $$;
      create trigger merge_requests_labels_changed after update of state on merge_requests
        for each row when ((old.state = 'opened') is distinct from (new.state = 'opened'))
        execute function copy_merge_request_to_labels();
    `);
  }
}
