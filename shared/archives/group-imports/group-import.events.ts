import type { NamedGroup } from '../../tenancy/tenancy.events.js';

export interface GroupImportEvents {
  /** Somebody sent an archive to make this group of, which was just made; a job does the rest. */
  'group_import.started': { readonly group: NamedGroup; readonly bytes: number; readonly sha256: string };
  'group_import.cancelled': { readonly group: NamedGroup };
}

declare module '../../core/events.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- adds the events above
  interface DomainEvents extends GroupImportEvents {}
}
