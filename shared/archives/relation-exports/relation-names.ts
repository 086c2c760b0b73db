import { groupRelations } from '../format/group-relations.js';

/** The attributes of the group itself, as a relation of one object. */
export const SELF = 'self';

/** Relations of a group that are exported by themselves (group-export-import.md section 7). */
export const relationNames: readonly string[] = [SELF, ...groupRelations.map(({ name }) => name)];
