import type { ArchiveImport } from '../archive-imports/archive-import.entity.js';
import type { ImportFailure } from '../archive-imports/failures.js';

/** How far the import of a group is. */
export interface GroupImportRecord extends ArchiveImport {
  groups: { total: number; imported: number; skipped: number };
  relations: { relation: string; total: number; imported: number; skipped: number }[];
  failures_count: number;
  /** The first of them. */
  failures: ImportFailure[];
}
