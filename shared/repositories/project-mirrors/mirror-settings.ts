import type { Context } from '../../core/context/context.js';
import { startMirror, stopMirror } from './mirror-state.js';

/** What is wrong with mirror settings: nobody can follow a repository without its URL. */
export function mirrorProblems(mirror: boolean, url: unknown): Record<string, string[]> {
  return mirror && !url ? { import_url: ["can't be blank"] } : {};
}

interface MirrorSettings {
  mirror: boolean;
  mirror_user_id?: number | null | undefined;
  import_url?: Uint8Array | null;
}

/** Follows, or no longer follows, as the settings of a project say since they changed: another URL, or another user, begins anew. */
export async function applyMirrorSettings(
  ctx: Context,
  projectId: number,
  before: MirrorSettings,
  after: MirrorSettings,
): Promise<void> {
  if (before.mirror && !after.mirror) return stopMirror(ctx, projectId);
  const changed = before.import_url !== after.import_url || before.mirror_user_id !== after.mirror_user_id;
  if (after.mirror && (!before.mirror || changed)) await startMirror(ctx, projectId);
}
