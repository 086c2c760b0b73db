import { Migration } from '@mikro-orm/migrations';

/** What counting by label needs, and the order of lists of milestones. */
export class LabelsAndMilestones extends Migration {
  override up(): void {
    this.addSql(`
      -- What is counted of an issue, beside its labels: issues by label are then counted in an index.
      alter table issue_labels
        add column closed boolean not null default false,
        add column confidential boolean not null default false;
      update issue_labels il set closed = i.state = 'closed', confidential = i.confidential
        from issues i where i.id = il.issue_id;
      create index issue_labels_counts on issue_labels (label_id, project_id, closed, confidential);
      create index issue_labels_confidential on issue_labels (label_id, issue_id) where confidential;

      -- The lock is the one that a change of the issue takes: neither misses the other. An issue that is gone by then
      -- has no labels.
      create function copy_issue_to_label() returns trigger language plpgsql as $$
        begin
          select i.state = 'closed', i.confidential into new.closed, new.confidential
            from issues i where i.id = new.issue_id for no key update;
          if not found then return null; end if;
          return new;
        end $$;
      create trigger issue_labels_added before insert on issue_labels
        for each row execute function copy_issue_to_label();
      create function copy_issue_to_labels() returns trigger language plpgsql as $$
        begin
          update issue_labels il set closed = new.state = 'closed', confidential = new.confidential
           where il.issue_id = new.id;
          return null;
        end $$;
      create trigger issues_labels_changed after update of state, confidential on issues
        for each row when (old.state is distinct from new.state or old.confidential is distinct from new.confidential)
        execute function copy_issue_to_labels();

      create index milestones_project_due on milestones (project_id, (coalesce(due_date, 'infinity'::date)), id desc)
        where project_id is not null;
      create index milestones_namespace_due on milestones (namespace_id, (coalesce(due_date, 'infinity'::date)), id desc)
        where namespace_id is not null;
    `);
  }
}
