import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/** How a project wants merge requests merged (seed 2.10, "Merge settings" and "Templates"). */
export interface MergeSettings {
  readonly merge_method: 'merge' | 'rebase_merge' | 'ff';
  readonly squash_option: 'never' | 'always' | 'default_on' | 'default_off';
  readonly allow_merge_on_skipped_pipeline: boolean;
  readonly merge_commit_template: string | null;
  readonly squash_commit_template: string | null;
}

/** What a project says about merging: one statement. */
export async function mergeSettingsOfProject(ctx: Context, projectId: number): Promise<MergeSettings> {
  const found = await ctx.queryOne<MergeSettings>(sql`
    select s.merge_method as "merge_method", s.squash_option as "squash_option",
           s.allow_merge_on_skipped_pipeline as "allow_merge_on_skipped_pipeline",
           s.merge_commit_template as "merge_commit_template", s.squash_commit_template as "squash_commit_template"
      from project_settings s where s.project_id = ${projectId}`);
  return found as MergeSettings;
}

/** Whether the commits become one: what the project says wins over what is asked for. */
export function squashes({ squash_option: option }: MergeSettings, asked: boolean): boolean {
  return option === 'always' || (option !== 'never' && asked);
}
