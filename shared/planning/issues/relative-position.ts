import { raw } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';

/** Room that is left between two issues which nobody put anywhere. */
export const GAP = 2 ** 20;

/** Where a row stands among those of its parent, as issues of a project: as it was put, else by its id, behind older ones. */
export const positionOf = (alias: string): Sql => raw(`coalesce(${alias}.relative_position, ${alias}.id * ${GAP})`);
