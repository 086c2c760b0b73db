import { Migration } from '@mikro-orm/migrations';

/**
 * Finds what projects have removed by its age (`ci_delete_pipelines_in_seconds`). Ages that were set while nothing was
 * removed are forgotten: an upgrade must not delete pipelines.
 */
export class OldPipelines extends Migration {
  override up(): void {
    this.addSql(`
      create index pipelines_finished on pipelines (project_id, created_at, id)
        where kind = 'config' and status in ('success', 'failed', 'canceled', 'skipped');
      update project_settings set ci_delete_pipelines_in_seconds = null where ci_delete_pipelines_in_seconds is not null;
      create index project_settings_old_pipelines on project_settings (project_id)
        where ci_delete_pipelines_in_seconds is not null;
    `);
  }
}
