import { recordAuditEvent, recordChanges } from '../../instance/audit-events/record-audit-events.js';
import type { AuditNote } from '../../instance/audit-events/record-audit-events.js';
import type { Context } from '../../core/context.js';

/** Settings of mirrors that the audit log tells as they are. */
const TOLD = [
  'mirror',
  'mirror_user_id',
  'mirror_trigger_builds',
  'only_mirror_protected_branches',
  'mirror_overwrites_diverged_branches',
] as const;

type Told = Partial<Record<(typeof TOLD)[number], unknown>>;

/** Where a URL leads, without what may be a secret in it: name and password, and the query. */
function placeOf(url: URL | null): string | null {
  if (url === null) return null;
  const place = new URL(url);
  for (const part of ['username', 'password', 'search', 'hash'] as const) place[part] = '';
  return place.toString();
}

async function auditUrl(ctx: Context, note: Omit<AuditNote, 'message'>, before: URL | null, after: URL | null) {
  if (before?.href === after?.href) return;
  const [from, to] = [placeOf(before), placeOf(after)];
  // Of those nothing may be told but that they changed.
  const secret = from === to;
  await recordAuditEvent(ctx, {
    ...note,
    message: secret
      ? 'Changed the credentials of the import url'
      : `Changed import url from ${JSON.stringify(from)} to ${JSON.stringify(to)}`,
    change: secret
      ? { attribute: 'import_url_credentials', from: null, to: null }
      : { attribute: 'import_url', from, to },
  });
}

/**
 * Writes what changed of where a project is imported or mirrored from, by what rules, and who answers for it. In the
 * caller's transaction.
 */
export async function auditMirror(
  ctx: Context,
  note: Omit<AuditNote, 'message'>,
  before: { url: URL | null; settings: Told },
  after: { url: URL | null; settings: Told },
): Promise<void> {
  await auditUrl(ctx, note, before.url, after.url);
  await recordChanges<Told>(ctx, note, before.settings, after.settings, TOLD);
}
