import type { Context } from '../../core/context.js';

const MIB = 1024 * 1024;
/** Milliseconds that reading an archive may take (group-export-import.md section 5). */
const MOST_READING_MS = 210_000;

/** What decompressing may cost by the instance's settings. */
export const archiveLimits = (ctx: Context) => ({
  maxBytes: ctx.settings.max_decompressed_archive_size * MIB,
  maxMs: MOST_READING_MS,
  signal: ctx.signal,
});
