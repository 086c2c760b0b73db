import type { z } from 'zod';
import type { SignedInContext } from '../../core/context/context.js';
import { isSettable, readDeclaredSettings } from '../namespaces/declared-settings.js';
import { declaredSettings } from './declared-settings.js';
import type { HotSettings, SettingColumns } from './new-settings.js';
import type { settingParams } from './project.params.js';

export type SettingInput = z.output<z.ZodObject<typeof settingParams>>;

/** What was sent, as columns. What was not sent is left out. */
export interface ProjectSettingValues {
  hot: Partial<HotSettings>;
  settings: Partial<SettingColumns>;
  /** As submitted; stored encrypted. */
  importUrl: string | null | undefined;
}

/** The URL that was sent to follow; an empty one is none. Without the plan it is ignored. */
function readImportUrl(ctx: SignedInContext, { import_url: url }: SettingInput): string | null | undefined {
  if (!isSettable(ctx, { plan: 'premium' })) return undefined;
  return url === '' ? null : url;
}

/** What was sent of a project's settings, as columns of its two tables. */
export function projectSettingValues(ctx: SignedInContext, input: SettingInput): ProjectSettingValues {
  const { record: hot, settings } = readDeclaredSettings(ctx, declaredSettings, input);
  const values: ProjectSettingValues = { hot, settings, importUrl: readImportUrl(ctx, input) };
  // The user who enables mirroring becomes the mirror user, unless an administrator specifies another one.
  if (values.settings.mirror && values.settings.mirror_user_id === undefined)
    values.settings.mirror_user_id = ctx.caller.user.id;
  return values;
}

/** The topics that were sent; the newer name wins. */
export function readTopics(input: Pick<SettingInput, 'topics' | 'tag_list'>): readonly string[] | undefined {
  return input.topics ?? input.tag_list;
}
