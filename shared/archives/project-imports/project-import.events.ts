import type { NamedProject } from '../../tenancy/tenancy.events.js';

export interface ProjectImportEvents {
  /** Somebody sent an archive to fill this project with, which was just made; a job does the rest. */
  'project_import.started': { readonly project: NamedProject; readonly bytes: number; readonly sha256: string };
  'project_import.cancelled': { readonly project: NamedProject };
}

declare module '../../core/events.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- adds the events above
  interface DomainEvents extends ProjectImportEvents {}
}
