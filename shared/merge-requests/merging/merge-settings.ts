import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { ProjectSettings } from '../../tenancy/projects/project-settings.entity.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';

/** The merge settings of a project (projects.md, "Merge settings" and "Templates"). */
export interface MergeSettings {
  readonly merge_method: 'merge' | 'rebase_merge' | 'ff';
  readonly squash_option: 'never' | 'always' | 'default_on' | 'default_off';
  readonly allow_merge_on_skipped_pipeline: boolean;
  readonly merge_commit_template: string | null;
  readonly squash_commit_template: string | null;
}

const findSettings = prepareQuery<MergeRequestsDatabase, { id: number }, MergeSettings>((db, { id }) =>
  db
    .selectFrom('project_settings as s')
    .select(
      columns(ProjectSettings, 's', [
        'merge_method',
        'squash_option',
        'allow_merge_on_skipped_pipeline',
        'merge_commit_template',
        'squash_commit_template',
      ]),
    )
    .where('s.project_id', '=', id)
    .$castTo<MergeSettings>(),
);

/** The merge settings of a project: one statement. */
export async function mergeSettingsOfProject(ctx: Context, projectId: number): Promise<MergeSettings> {
  const [found] = await findSettings(ctx, { id: projectId });
  return found as MergeSettings;
}

/** Whether the commits are squashed: the project's setting takes precedence over the request. */
export function squashes({ squash_option: option }: MergeSettings, requested: boolean): boolean {
  return option === 'always' || (option !== 'never' && requested);
}
