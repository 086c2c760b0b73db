/** In whose log an event stands. Made by {@link auditedProject} and its like. */
export interface AuditedEntity {
  type: 'Project' | 'Group' | 'User' | 'Instance';
  id: number;
  /** Full path or username. */
  path: string;
  namespaceId: number;
}

/** How something that happened reads in the log. Values are shown to administrators and Owners as they are: never a secret. */
export interface AuditNote {
  /** As the field names it: `project_created`, `member_updated`, `personal_access_token_revoked`. */
  event: string;
  entity: AuditedEntity;
  /** What was changed, where it is not the entity itself. `details` is its name as people know it. */
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
 * One note for each attribute of `after` that differs from `before`: the edits of a form as a log reads them.
 * @param names attributes that are told; secrets are left out by their callers
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
