import { Migration } from '@mikro-orm/migrations';

/** Finds what projects have removed by its age (`ci_delete_pipelines_in_seconds`). */
export class OldPipelines extends Migration {
  override up(): void {
    this.addSql(`
      create index pipelines_finished on pipelines (project_id, created_at, id)
        where kind = 'config' and status in ('success', 'failed', 'canceled', 'skipped');
      create index project_settings_old_pipelines on project_settings (project_id)
        where ci_delete_pipelines_in_seconds is not null;
    `);
  }
}
