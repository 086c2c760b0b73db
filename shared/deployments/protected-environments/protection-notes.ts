import { changeNotes } from '../../instance/audit-events/audit-note.js';
import type { AuditNote } from '../../instance/audit-events/audit-note.js';
import { auditedContainer } from '../../tenancy/containers/audited-container.js';
import type { ContainerSummary } from '../../tenancy/tenancy.events.js';
import { describeEnvironmentEntry } from './environment-entries.js';
import type { EnvironmentEntryRecord } from './environment-entries.js';
import type { ProtectedEnvironment } from './protected-environment.entity.js';
import type { EntriesByKind } from './write-entries.js';

/** A protected environment with its entries. */
export interface Protection {
  readonly protection: ProtectedEnvironment;
  readonly entries: EntriesByKind;
}

const getTarget = ({ id, name }: ProtectedEnvironment) => ({ type: 'ProtectedEnvironment', id, details: name });

/** Who an entry names; administrators have no description of their own in the API. */
function describeEntry(entry: EnvironmentEntryRecord): string {
  const who = describeEnvironmentEntry(entry);
  return entry.group_inheritance_type === 1 && entry.group_id !== null ? `${who} with inherited members` : who;
}

/** Descriptions of who may deploy, and of whose approval is required. */
const rights = ({ protection, entries }: Protection) => ({
  deploy_access_levels: entries.deploy_access_levels.map(describeEntry),
  approval_rules: entries.approval_rules.map((rule) => `${rule.required_approvals} of ${describeEntry(rule)}`),
  required_approval_count: protection.required_approval_count,
});

/** The audit log message for an environment that was protected or unprotected. */
export function protectionNote(
  container: ContainerSummary,
  details: Protection,
  what: 'created' | 'removed',
): AuditNote {
  const all = rights(details);
  return {
    event: what === 'created' ? 'environment_protected' : 'environment_unprotected',
    entity: auditedContainer(container),
    target: getTarget(details.protection),
    message: `${what === 'created' ? 'Protected' : 'Unprotected'} environment ${details.protection.name}`,
    change: {
      attribute: 'protection',
      from: what === 'created' ? null : all,
      to: what === 'created' ? all : null,
    },
  };
}

/** How an edit reads in the audit log: one note for each of the three that changed. */
export function protectionEditNotes(container: ContainerSummary, before: Protection, after: Protection): AuditNote[] {
  return changeNotes(
    {
      event: 'protected_environment_updated',
      entity: auditedContainer(container),
      target: getTarget(after.protection),
    },
    rights(before),
    rights(after),
    ['deploy_access_levels', 'approval_rules', 'required_approval_count'],
  );
}
