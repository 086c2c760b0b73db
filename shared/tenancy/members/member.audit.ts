import type { AuditNote } from '../../instance/audit-events/record-audit-events.js';
import { recordAuditEvents, recordChanges } from '../../instance/audit-events/record-audit-events.js';
import type { Context } from '../../core/context.js';
import type { Container } from '../containers/container.js';
import type { MemberRecord } from './member.finder.js';
import { LEVEL_NAMES } from './member.rules.js';

type Named = Pick<MemberRecord, 'id' | 'username' | 'access_level'>;

const levelName = (level: number) => LEVEL_NAMES[level] ?? String(level);
const targetOf = (member: Named) => ({ type: 'User', id: member.id, details: member.username });

/** Writes down who was given a role, or lost it. */
export async function recordMembers(
  ctx: Context,
  source: Container,
  done: 'added' | 'removed',
  members: readonly Named[],
): Promise<void> {
  const notes = members.map((member): AuditNote => {
    const level = levelName(member.access_level);
    const was = done === 'added' ? { from: null, to: level } : { from: level, to: null };
    return {
      event: done === 'added' ? 'member_created' : 'member_destroyed',
      entity: source.audited,
      target: targetOf(member),
      message: done === 'added' ? `Added ${member.username} as ${level}` : `Removed ${member.username}`,
      change: { attribute: 'access_level', ...was },
    };
  });
  await recordAuditEvents(ctx, notes);
}

/** Writes down what changed of a role. */
export async function recordMemberChange(
  ctx: Context,
  source: Container,
  before: MemberRecord,
  after: MemberRecord,
): Promise<void> {
  const said = ({ access_level, expires_on }: MemberRecord) => ({
    access_level: levelName(access_level),
    expires_at: expires_on,
  });
  const note = { event: 'member_updated', entity: source.audited, target: targetOf(after) };
  await recordChanges(ctx, note, said(before), said(after), ['access_level', 'expires_at']);
}
