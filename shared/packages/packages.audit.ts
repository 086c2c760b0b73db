import type { AuditOf } from '../instance/audit-events/audit-log.js';
import { auditedProject } from '../instance/audit-events/audit-note.js';
import type { PackageEvents } from './packages.events.js';

/** A repository of images, in the log of its project. */
const ofImages = ({ repository: { id, path }, project }: PackageEvents['container_repository.deletion_requested']) => ({
  entity: auditedProject(project),
  target: { type: 'ContainerRepository', id, details: path },
});

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
  'container_tag.deleted': (event) => ({
    event: 'container_repository_tags_deleted',
    ...ofImages(event),
    message: `Deleted tag ${event.name} of container repository ${event.repository.path}`,
  }),
  'container_tags.deletion_requested': (event) => ({
    event: 'container_repository_tags_deleted',
    ...ofImages(event),
    message: `Had tags of container repository ${event.repository.path} deleted`,
  }),
  'container_repository.deletion_requested': (event) => ({
    event: 'container_repository_deletion_marked',
    ...ofImages(event),
    message: `Marked container repository ${event.repository.path} for deletion`,
  }),
  // The deletion request has already been logged.
  'container_repository.deleted': null,
};
