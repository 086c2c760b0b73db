import type { ContainerSummary, GroupSummary, ProjectSummary } from '../tenancy/tenancy.events.js';

interface Exported {
  readonly container: ContainerSummary;
}

/** An archive as uploaded. */
interface Sent {
  readonly bytes: number;
  readonly sha256: string;
}

export interface ArchiveEvents {
  /** An archive of a group or project was requested. */
  'archive_export.requested': Exported;
  /** It was downloaded, or a part of it. */
  'archive_export.downloaded': Exported & { readonly filename: string };
  /** It was uploaded to the URL set by its exporter, on this host. */
  'archive_export.uploaded': Exported & { readonly host: string };
  /** It was not, and why. */
  'archive_export.upload_failed': Exported & { readonly host: string; readonly reason: string };
  /** The relations of a group were requested, each by itself. */
  'relation_export.requested': Exported;
  /** One of them was downloaded, or a part of it. */
  'relation_export.downloaded': Exported & { readonly relation: string };
  /** A user uploaded an archive to import as this group, which has just been created; a job does the rest. */
  'group_import.started': Sent & { readonly group: GroupSummary };
  'group_import.cancelled': { readonly group: GroupSummary };
  /** A user uploaded an archive to import into this project, which has just been created; a job does the rest. */
  'project_import.started': Sent & { readonly project: ProjectSummary };
  'project_import.cancelled': { readonly project: ProjectSummary };
}

declare module '../core/values/events.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- adds the events above
  interface DomainEvents extends ArchiveEvents {}
}
