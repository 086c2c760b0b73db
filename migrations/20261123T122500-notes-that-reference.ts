import { Migration } from '@mikro-orm/migrations';

/** Of which kinds the records are that a record's notes speak of is asked before its notes are listed. */
export class NotesThatReference extends Migration {
  override up(): void {
    for (const noteable of ['issue', 'merge_request', 'epic'])
      this.addSql(`
        create index notes_${noteable}_references on notes (${noteable}_id)
          where ${noteable}_id is not null and coalesce(referenced_issue_id, referenced_project_id,
            referenced_merge_request_id, referenced_epic_id) is not null;
      `);
  }
}
