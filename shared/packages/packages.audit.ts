import type { AuditOf } from '../instance/audit-events/audit-log.js';
import { auditedProject } from '../instance/audit-events/audit-note.js';
import type { PackageEvents } from './packages.events.js';

/** How what happens to packages reads in the audit log. */
export const packagesAuditOf: AuditOf<PackageEvents> = {
  // Everyday work of Developers.
  'package_file.published': null,
  'package_file.deleted': ({ package: { id, name, version }, file_name, project }) => ({
    event: 'package_file_deleted',
    entity: auditedProject(project),
    target: { type: 'Packages::Package', id, details: `${name} ${version}` },
    message: `Deleted file ${file_name} of package ${name} ${version}`,
  }),
  'package.deleted': ({ package: { id, name, version }, project }) => ({
    event: 'package_registry_package_deleted',
    entity: auditedProject(project),
    target: { type: 'Packages::Package', id, details: `${name} ${version}` },
    message: `Deleted package ${name} ${version}`,
  }),
};
