import { Migration } from '@mikro-orm/migrations';

/** Whom and what issues and commits mention. */
export class IssueMentions extends Migration {
  override up(): void {
    this.addSql(`
      -- Users whom the title or description of an issue names now.
      create table issue_mentions (
        project_id bigint not null,
        issue_id bigint not null references issues (id) on delete cascade,
        user_id bigint not null references users (id) on delete cascade,
        primary key (issue_id, user_id)
      );
      create index issue_mentions_user on issue_mentions (user_id);

      -- What has mentioned an issue, each once: another issue, or a commit.
      create table issue_cross_references (
        project_id bigint not null,
        issue_id bigint not null references issues (id) on delete cascade,
        source_issue_id bigint references issues (id) on delete cascade,
        source_project_id bigint references projects (id) on delete cascade,
        source_sha text,
        created_at timestamptz(3) not null,
        check ((source_issue_id is null) <> (source_sha is null)),
        check ((source_project_id is null) = (source_sha is null))
      );
      create unique index issue_cross_references_issue
        on issue_cross_references (project_id, issue_id, source_issue_id) where source_issue_id is not null;
      create unique index issue_cross_references_commit
        on issue_cross_references (project_id, issue_id, source_project_id, source_sha) where source_sha is not null;
      create index issue_cross_references_mentioned on issue_cross_references (issue_id);
      create index issue_cross_references_source
        on issue_cross_references (source_issue_id) where source_issue_id is not null;
      create index issue_cross_references_source_project
        on issue_cross_references (source_project_id) where source_project_id is not null;
    `);
  }
}
