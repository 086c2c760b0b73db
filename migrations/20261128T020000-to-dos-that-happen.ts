import { Migration } from '@mikro-orm/migrations';

/** To-dos that follow from what others do, of epics and commits too. */
export class ToDosThatHappen extends Migration {
  override up(): void {
    this.addSql(`
      alter table todos
        alter column project_id drop not null,
        add column namespace_id bigint references namespaces (id) on delete cascade,
        add column author_id bigint references users (id) on delete cascade,
        add column action text not null default 'marked' check (action in ('assigned', 'mentioned', 'build_failed',
          'marked', 'approval_required', 'unmergeable', 'directly_addressed', 'review_requested')),
        add column epic_id bigint references epics (id) on delete cascade,
        -- Of the project.
        add column commit_sha text,
        -- The comment that caused it.
        add column note_id bigint references notes (id) on delete cascade;
      update todos set author_id = user_id;
      alter table todos
        alter column author_id set not null,
        drop constraint todos_check,
        add constraint todos_target check (num_nonnulls(issue_id, merge_request_id, epic_id, commit_sha) = 1),
        add constraint todos_container check (num_nonnulls(project_id, namespace_id) = 1);
      drop index todos_pending;
      create unique index todos_pending on todos (project_id, user_id, action, issue_id, merge_request_id, epic_id, commit_sha)
        nulls not distinct where state = 'pending';
      drop index todos_issue;
      drop index todos_merge_request;
      create index todos_issue on todos (issue_id, user_id) where issue_id is not null;
      create index todos_merge_request on todos (merge_request_id, user_id) where merge_request_id is not null;
      create index todos_epic on todos (epic_id, user_id) where epic_id is not null;
      create index todos_commit on todos (project_id, commit_sha, user_id) where commit_sha is not null;
      create index todos_note on todos (note_id, user_id) where note_id is not null;
      create index todos_project on todos (project_id) where project_id is not null;
      create index todos_namespace on todos (namespace_id) where namespace_id is not null;
      create index todos_author on todos (author_id);
      create index merge_requests_open_head on merge_requests (head_sha) where state = 'opened';
    `);
  }
}
