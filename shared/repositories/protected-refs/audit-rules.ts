import { auditedProject, recordAuditEvent, recordChanges } from '../../instance/audit-events/record-audit-events.js';
import type { Context } from '../../core/context.js';
import type { ProjectRecord } from '../../tenancy/projects/project.finder.js';
import { loadEntries } from './access-entries.js';
import type { RuleKind } from './access-entries.js';
import { describeEntry } from './access-levels.js';
import type { AccessEntryRecord } from './access-levels.js';

interface Rule {
  id: number;
  name: string;
}

/** What of a rule is told, besides whom it admits. */
type Flags = Partial<Record<'allow_force_push' | 'code_owner_approval_required', boolean>>;

const ACTIONS = ['push', 'merge', 'unprotect', 'create'] as const;

/** Whom a rule admits, by action, in words: `{push: ['Maintainers', 'Alice'], …}`. */
function admitted(entries: readonly AccessEntryRecord[]): Record<string, string[]> {
  const named = ACTIONS.map((action) => [
    `allowed_to_${action}`,
    entries.filter((entry) => entry.action === action).map(describeEntry),
  ]);
  return Object.fromEntries(named.filter(([, who]) => (who as string[]).length > 0)) as Record<string, string[]>;
}

const entriesOf = async (ctx: Context, kind: RuleKind, rule: Rule) =>
  (await loadEntries(ctx, kind, [rule.id])).get(rule.id) ?? [];

const targetOf = (kind: RuleKind, { id, name }: Rule) => ({
  type: kind === 'branch' ? 'ProtectedBranch' : 'ProtectedTag',
  id,
  details: name,
});

/** Writes that a rule came or, called before it goes, that it goes, with whom it admits. In the caller's transaction. */
export async function auditRule(
  ctx: Context,
  project: ProjectRecord,
  kind: RuleKind,
  rule: Rule,
  what: 'created' | 'removed',
): Promise<void> {
  const rights = admitted(await entriesOf(ctx, kind, rule));
  await recordAuditEvent(ctx, {
    event: `protected_${kind}_${what}`,
    entity: auditedProject(project),
    target: targetOf(kind, rule),
    message: `${what === 'created' ? 'Added' : 'Removed'} protected ${kind} ${rule.name}`,
    change:
      what === 'created'
        ? { attribute: 'access_levels', from: null, to: rights }
        : { attribute: 'access_levels', from: rights, to: null },
  });
}

/** Writes what an edit changed of a rule: its flags, and for each action whom it admits. */
export async function auditRuleEdit(
  ctx: Context,
  project: ProjectRecord,
  kind: RuleKind,
  before: { rule: Rule & Flags; entries: readonly AccessEntryRecord[] },
  after: Rule & Flags,
): Promise<void> {
  const had = admitted(before.entries);
  const has = admitted(await entriesOf(ctx, kind, after));
  const nobody = Object.fromEntries(Object.keys({ ...had, ...has }).map((name) => [name, [] as string[]]));
  await recordChanges<Record<string, unknown>>(
    ctx,
    { event: `protected_${kind}_updated`, entity: auditedProject(project), target: targetOf(kind, after) },
    { ...before.rule, ...nobody, ...had },
    { ...after, ...nobody, ...has },
    ['allow_force_push', 'code_owner_approval_required', ...Object.keys(nobody)],
  );
}
