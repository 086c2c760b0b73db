import type { AuditOf } from '../instance/audit-events/audit-log.js';
import { auditedContainer } from '../tenancy/containers/audited-container.js';
import type { ContainerKind } from '../core/operations/container.js';
import type { ArchiveEvents } from './archives.events.js';
import { auditedGroup, auditedProject } from '../instance/audit-events/audit-note.js';

type Audited = ReturnType<typeof auditedGroup>;

const importStarted = (kind: ContainerKind, entity: Audited, archive: { bytes: number; sha256: string }) => ({
  event: `${kind}_import_started`,
  entity,
  message: `Started the import of an archive of ${archive.bytes} bytes (SHA-256 ${archive.sha256})`,
});

const importCancelled = (kind: ContainerKind, entity: Audited) => ({
  event: `${kind}_import_cancelled`,
  entity,
  message: 'Cancelled the import of an archive',
});

/** How exports and imports read in the audit log. */
export const archivesAuditOf: AuditOf<ArchiveEvents> = {
  'archive_export.requested': ({ container }) => ({
    event: 'group' in container ? 'group_export_requested' : 'project_export_requested',
    entity: auditedContainer(container),
    message: 'Export requested',
  }),
  'archive_export.downloaded': ({ container, filename }) => ({
    event: 'group' in container ? 'group_export_downloaded' : 'project_export_downloaded',
    entity: auditedContainer(container),
    message: `Export file ${filename} downloaded`,
  }),
  'archive_export.uploaded': ({ container, host }) => ({
    event: 'project_export_uploaded',
    entity: auditedContainer(container),
    message: `Export file sent to ${host}`,
  }),
  'archive_export.upload_failed': ({ container, host, reason }) => ({
    event: 'project_export_upload_failed',
    entity: auditedContainer(container),
    message: `Export file not sent to ${host}: ${reason}`,
  }),
  'relation_export.requested': ({ container }) => ({
    event: 'group_relations_export_requested',
    entity: auditedContainer(container),
    message: 'Export of relations requested',
  }),
  'relation_export.downloaded': ({ container, relation }) => ({
    event: 'group_relation_export_downloaded',
    entity: auditedContainer(container),
    message: `Export of the relation ${relation} downloaded`,
  }),
  'group_import.started': ({ group, ...archive }) => importStarted('group', auditedGroup(group), archive),
  'group_import.cancelled': ({ group }) => importCancelled('group', auditedGroup(group)),
  'project_import.started': ({ project, ...archive }) => importStarted('project', auditedProject(project), archive),
  'project_import.cancelled': ({ project }) => importCancelled('project', auditedProject(project)),
};
