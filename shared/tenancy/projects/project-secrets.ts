import type { Context } from '../../core/context/context.js';
import { generateToken } from '../../core/values/secrets.js';

const RUNNERS_TOKEN_PREFIX = 'prt-';

const runnersTokenOf = (projectId: number) => `project_settings.runners_token:${projectId}`;

/** A fresh token that runners register with, as it is stored. */
export function newRunnersToken(ctx: Context, projectId: number): { plain: string; sealed: Uint8Array } {
  const plain = generateToken(RUNNERS_TOKEN_PREFIX);
  return { plain, sealed: ctx.services.keys.encrypt(plain, runnersTokenOf(projectId)) };
}

export function openRunnersToken(ctx: Context, projectId: number, sealed: Uint8Array | null): string | null {
  return sealed ? ctx.services.keys.decrypt(Buffer.from(sealed), runnersTokenOf(projectId)) : null;
}
