import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { auditedProject, changeNotes } from '../../instance/audit-events/audit-note.js';
import type { AuditNote } from '../../instance/audit-events/audit-note.js';
import type { AdmittingRule } from '../repositories.events.js';
import type { RuleKind } from './ref-rights.js';
import { describeEntry } from './access-levels.js';
import type { AccessEntryRecord } from './access-levels.js';

const ACTIONS = ['push', 'merge', 'unprotect', 'create'] as const;

/** Subjects admitted by a rule, by action: `{push: ['Maintainers', 'Alice'], …}`. */
function admitted(entries: readonly AccessEntryRecord[]): Record<string, string[]> {
  const byAction = ACTIONS.map((action) => [
    `allowed_to_${action}`,
    entries.filter((entry) => entry.action === action).map(describeEntry),
  ]);
  return Object.fromEntries(byAction.filter(([, who]) => (who as string[]).length > 0)) as Record<string, string[]>;
}

const getTarget = (kind: RuleKind, { id, name }: AdmittingRule['rule']) => ({
  type: kind === 'branch' ? 'ProtectedBranch' : 'ProtectedTag',
  id,
  details: name,
});

/** Audit note of a created or deleted rule, with its entries. */
export function ruleNote(
  project: ProjectRecord,
  kind: RuleKind,
  { rule, entries }: AdmittingRule,
  what: 'created' | 'removed',
): AuditNote {
  const rights = admitted(entries);
  return {
    event: `protected_${kind}_${what}`,
    entity: auditedProject(project),
    target: getTarget(kind, rule),
    message: `${what === 'created' ? 'Added' : 'Removed'} protected ${kind} ${rule.name}`,
    change:
      what === 'created'
        ? { attribute: 'access_levels', from: null, to: rights }
        : { attribute: 'access_levels', from: rights, to: null },
  };
}

/** Audit notes of a rule's edit: its flags, and its entries for each action. */
export function ruleEditNotes(
  project: ProjectRecord,
  kind: RuleKind,
  before: AdmittingRule,
  after: AdmittingRule,
): AuditNote[] {
  const had = admitted(before.entries);
  const has = admitted(after.entries);
  const nobody = Object.fromEntries(Object.keys({ ...had, ...has }).map((name) => [name, [] as string[]]));
  return changeNotes<Record<string, unknown>>(
    { event: `protected_${kind}_updated`, entity: auditedProject(project), target: getTarget(kind, after.rule) },
    { ...before.rule, ...nobody, ...had },
    { ...after.rule, ...nobody, ...has },
    ['allow_force_push', 'code_owner_approval_required', ...Object.keys(nobody)],
  );
}
