import type { Context } from '../core/context.js';
import { startMirror, stopMirror } from './mirror-state.js';

/** What is wrong with mirror settings: nobody can follow a repository without its URL. */
export function mirrorProblems(mirror: boolean, url: unknown): Record<string, string[]> {
  return mirror && !url ? { import_url: ["can't be blank"] } : {};
}

interface MirrorSettings {
  mirror: boolean;
  import_url?: Uint8Array | null;
}

/** Follows, or no longer follows, as the settings of a project say since they changed: another URL begins anew. */
export async function applyMirrorSettings(
  ctx: Context,
  projectId: number,
  before: MirrorSettings,
  after: MirrorSettings,
): Promise<void> {
  if (before.mirror && !after.mirror) return stopMirror(ctx, projectId);
  if (after.mirror && (!before.mirror || before.import_url !== after.import_url)) await startMirror(ctx, projectId);
}
