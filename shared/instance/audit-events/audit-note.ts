/** The owner of the log that records an event. Created by {@link auditedProject} and similar functions. */
export interface AuditedEntity {
  type: 'Project' | 'Group' | 'User' | 'Instance';
  id: number;
  /** Full path or username. */
  path: string;
  namespaceId: number;
}

/**
 * An event's entry in the audit log. Values are shown verbatim to administrators and Owners, so they must not contain
 * secrets.
 */
export interface AuditNote {
  /** As the field names it: `project_created`, `member_updated`, `personal_access_token_revoked`. */
  event: string;
  entity: AuditedEntity;
  /** The changed object, if it is not the entity itself. `details` is its display name. */
  target?: { type: string; id: number | null; details: string };
  /** One sentence: "Changed access level of alice from Guest to Owner". */
  message: string;
  /** The attribute that changed, and its values before and after. */
  change?: { attribute: string; from: unknown; to: unknown };
}

export const auditedProject = (project: { id: number; full_path: string; namespace_id: number }): AuditedEntity => ({
  type: 'Project',
  id: project.id,
  path: project.full_path,
  namespaceId: project.namespace_id,
});

export const auditedGroup = (group: { id: number; full_path: string }): AuditedEntity => ({
  type: 'Group',
  id: group.id,
  path: group.full_path,
  namespaceId: group.id,
});

export const auditedUser = (user: { id: number; username: string; namespace_id?: number | null }): AuditedEntity => ({
  type: 'User',
  id: user.id,
  path: user.username,
  namespaceId: user.namespace_id ?? 0,
});

export const auditedInstance: AuditedEntity = { type: 'Instance', id: 1, path: 'instance', namespaceId: 0 };

/**
 * One note for each attribute of `after` that differs from `before`: records the edits of a form.
 * @param names audited attributes; callers leave out secrets
 */
export function changeNotes<T extends object>(
  note: Omit<AuditNote, 'message' | 'change'>,
  before: T,
  after: Partial<T>,
  names: readonly (keyof T & string)[],
): AuditNote[] {
  const said = (value: unknown) => JSON.stringify(value ?? null);
  const changed = names.filter((name) => after[name] !== undefined && said(after[name]) !== said(before[name]));
  return changed.map((name) => ({
    ...note,
    message: `Changed ${name.replaceAll('_', ' ')} from ${said(before[name])} to ${said(after[name])}`,
    change: { attribute: name, from: before[name] ?? null, to: after[name] ?? null },
  }));
}
